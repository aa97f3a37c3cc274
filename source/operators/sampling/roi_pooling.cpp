// SPDX-License-Identifier: MIT
#include "kernel/sampling/roi_pooling.hpp"

#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

using kernel::RoiGeometry;

/// The arguments that operations on regions of interest have in common.
struct RoiArguments {
  RoiGeometry geometry;
  RuntimeDataType type;
  int input;
  int rois;
  Shape shape;  ///< of the output

  /// Throws when a region names no image of the batch.
  void CheckIndices(const RunContext& c) const {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const int64_t faulty = kernel::FindInvalidRoi(geometry, c.inputs[rois].as<T>());
      if (faulty < 0) return;
      throw Error(ErrorCode::kInput, "box " + std::to_string(faulty) +
                                         " names an image outside of the batch, expected 0 to " +
                                         std::to_string(geometry.batch - 1));
    });
  }
};

RoiArguments ReadRegions(const Arguments& arguments, bool position_sensitive) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const Shape& image = input.spec.shape;
  arguments.Require(image.size() == 4 && image[2] > 0 && image[3] > 0,
                    "input is " + ShapeString(image) + ", expected rank 4 and no empty image");
  const TensorArgument& rois = arguments.Tensor("boxes");
  arguments.Require(rois.spec.type == input.spec.type && rois.spec.rank() == 2 && rois.spec.shape[1] == 5,
                    "boxes are " + SpecString(rois.spec) + ", expected the input's " + TypeName(input.spec.type) +
                        " and shape (boxes,5)");
  RoiGeometry geometry{image[0], image[1], image[2], image[3], rois.spec.shape[0]};
  const bool pair = arguments.Has("output_size");
  const std::vector<int64_t> size =
      pair ? arguments.Ints("output_size", 2) : Shape{arguments.Int("pooled_height"), arguments.Int("pooled_width")};
  geometry.bins_high = size[0];
  geometry.bins_wide = size[1];
  arguments.Require(size[0] > 0 && size[1] > 0, "output_size is " + NumbersString(size) + ", expected extents above 0");
  geometry.scale = arguments.Float("spatial_scale");
  geometry.position_sensitive = position_sensitive;
  if (position_sensitive) {
    const int64_t bins = ElementCount(size);
    arguments.Require(image[1] % bins == 0, "input has " + std::to_string(image[1]) +
                                                " channels, expected a multiple of the output's " +
                                                std::to_string(bins) + " bins");
  }
  const Shape shape{geometry.regions, geometry.channels_out(), size[0], size[1]};
  return {geometry, input.spec.type, input.input, rois.input, shape};
}

/// The outputs. If the model reads two, the second one holds the element, or the channel, that was read.
OperationPlan PlanOutputs(const Arguments& arguments, const RoiArguments& read) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(read.type, read.shape)};
  if (arguments.output_count() > 1) plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt32, read.shape));
  return plan;
}

/// Writes the input channel of every output element if the plan has a second output.
void WriteChannels(const RoiGeometry& geometry, int32_t* channels) {
  const int64_t count = geometry.channels_out() * geometry.bins();
  for (int64_t i = 0; i < geometry.regions * count; ++i) channels[i] = static_cast<int32_t>(i % count);
}

template <bool kPositionSensitive>
OperationPlan PlanRoiAlign(const Arguments& arguments) {
  const RoiArguments read = ReadRegions(arguments, kPositionSensitive);
  kernel::RoiSampling sampling;
  sampling.ratio = arguments.Int("sampling_ratio");
  constexpr int64_t kMostSamples = int64_t{1} << 16;
  arguments.Require(sampling.ratio <= kMostSamples, "sampling_ratio is " + std::to_string(sampling.ratio) +
                                                        ", expected at most " + std::to_string(kMostSamples));
  sampling.aligned = kPositionSensitive || arguments.Bool("aligned");
  OperationPlan plan = PlanOutputs(arguments, read);
  plan.run = [read, sampling, channels = plan.outputs.size() > 1](const RunContext& c) {
    read.CheckIndices(c);
    DispatchFloating(read.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::RoiAlign(read.geometry, sampling, c.inputs[read.input].as<T>(), c.inputs[read.rois].as<T>(),
                       c.outputs[0].as<T>());
    });
    if (channels) WriteChannels(read.geometry, c.outputs[1].as<int32_t>());
  };
  return plan;
}

template <bool kPositionSensitive>
OperationPlan PlanRoiPool(const Arguments& arguments) {
  const RoiArguments read = ReadRegions(arguments, kPositionSensitive);
  OperationPlan plan = PlanOutputs(arguments, read);
  plan.run = [read, second = plan.outputs.size() > 1](const RunContext& c) {
    read.CheckIndices(c);
    int32_t* numbers = second ? c.outputs[1].as<int32_t>() : nullptr;
    DispatchFloating(read.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* input = c.inputs[read.input].as<T>();
      const T* rois = c.inputs[read.rois].as<T>();
      if (kPositionSensitive) {
        kernel::RoiAveragePool(read.geometry, input, rois, c.outputs[0].as<T>());
      } else {
        kernel::RoiMaxPool(read.geometry, input, rois, c.outputs[0].as<T>(), numbers);
      }
    });
    if (kPositionSensitive && second) WriteChannels(read.geometry, numbers);
  };
  return plan;
}

}  // namespace

void RegisterRoiPooling(OperationTable& table) {
  const auto add = [&](const char* module, const std::string& name, const std::string& more, const PlanFunction& plan) {
    const std::string images = "Tensor input|arg_0, Tensor boxes|rois|arg_1, ";
    table.Add({std::string("torchvision.ops.") + module, "torchvision.ops." + name},
              images + "int[2] output_size, float spatial_scale=1.0" + more, plan);
    table.Add({"pnnx.custom_op.torchvision." + name},
              images + "float spatial_scale|arg_2, int pooled_height|arg_3, int pooled_width|arg_4" + more +
                  ", int[]? output_size=None",
              plan);
  };
  const std::string ratio = ", int sampling_ratio|arg_5=-1";
  add("RoIAlign", "roi_align", ratio + ", bool aligned|arg_6=False", PlanRoiAlign<false>);
  add("PSRoIAlign", "ps_roi_align", ratio, PlanRoiAlign<true>);
  add("RoIPool", "roi_pool", "", PlanRoiPool<false>);
  add("PSRoIPool", "ps_roi_pool", "", PlanRoiPool<true>);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "kernel/pooling/adaptive_pooling.hpp"

#include "operation/parameters.hpp"
#include "operation/strided_operand.hpp"
#include "operators/pooling/channels_last_pooling.hpp"
#include "operators/pooling/pooled_elements.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The extents of depth, height and width before and after adaptive pooling.
struct AdaptiveGeometry {
  Extents3 image{1, 1, 1};
  Extents3 positions{1, 1, 1};
};

AdaptiveGeometry ReadGeometry(const Arguments& arguments, const SpatialInput& spatial) {
  RequireFloating(arguments, spatial.input);
  const auto axes = static_cast<int64_t>(spatial.image.size());
  const std::vector<int64_t> size = arguments.Ints("output_size", axes);
  // The converter writes None as 0. In a call of PyTorch's own operator, 0 is an extent.
  const bool zero_is_none = arguments.type().rfind("aten::", 0) != 0;
  AdaptiveGeometry geometry;
  for (int64_t axis = 0; axis < axes; ++axis) {
    const int64_t extent = spatial.image[axis];
    arguments.Require(extent > 0, "input is " + ShapeString(spatial.input.spec.shape) + ", expected no empty image");
    arguments.Require(size[axis] >= 0, "output_size is " + std::to_string(size[axis]) + ", expected 0 or more");
    geometry.image[3 - axes + axis] = extent;
    geometry.positions[3 - axes + axis] = size[axis] == 0 && zero_is_none ? extent : size[axis];
  }
  return geometry;
}

kernel::ChannelsLastPooling MakeBoxes(const AdaptiveGeometry& geometry, bool maximum) {
  kernel::ChannelsLastPooling pooling;
  pooling.maximum = maximum;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int64_t positions = geometry.positions[axis];
    AppendRanges(pooling.axes[axis], positions, [&](int64_t position) -> kernel::ChannelsLastPooling::Range {
      const IndexRange range = AdaptiveRange(geometry.image[axis], positions, position);
      return {range, range.last - range.first};
    });
  }
  return pooling;
}

template <int64_t kDimensions>
OperationPlan PlanAdaptiveAveragePool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  const AdaptiveGeometry geometry = ReadGeometry(arguments, spatial);
  if (auto plan = PlanChannelsLastPool(spatial, MakeBoxes(geometry, false), arguments.context()))
    return *std::move(plan);
  OperationPlan plan;
  const StridedOperand input = MakeRowMajorOperand(spatial.input, plan.workspace_bytes);
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(geometry.positions))};
  plan.run = [geometry, planes = spatial.planes, input](const RunContext& c) {
    const void* image = OperandData(input, c);
    DispatchFloating(c.inputs[input.input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::AdaptiveAveragePool(geometry.image, geometry.positions, planes, static_cast<const T*>(image),
                                  c.outputs[0].as<T>());
    });
  };
  return plan;
}

template <int64_t kDimensions>
OperationPlan PlanAdaptiveMaxPool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  const AdaptiveGeometry geometry = ReadGeometry(arguments, spatial);
  const bool indices = arguments.Bool("return_indices") || arguments.output_count() > 1;
  if (!indices) {
    if (auto plan = PlanChannelsLastPool(spatial, MakeBoxes(geometry, true), arguments.context()))
      return *std::move(plan);
  }
  const Shape shape = spatial.OutputShape(geometry.positions);
  OperationPlan plan;
  const StridedOperand input = MakeRowMajorOperand(spatial.input, plan.workspace_bytes);
  plan.outputs = {OutputPlan::New(spatial.type(), shape)};
  if (indices) {
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt64, shape));
    // The model has one operand for both outputs: a list.
    if (arguments.output_count() == 1) plan.outputs = {OutputPlan::List(std::move(plan.outputs))};
  }
  plan.run = [geometry, indices, planes = spatial.planes, input](const RunContext& c) {
    const void* image = OperandData(input, c);
    DispatchFloating(c.inputs[input.input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::AdaptiveMaxPool(geometry.image, geometry.positions, planes, static_cast<const T*>(image),
                              c.outputs[0].as<T>(), indices ? c.outputs[1].as<int64_t>() : nullptr);
    });
  };
  return plan;
}

}  // namespace

void RegisterAdaptivePooling(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues chosen = Preserves({"input"}, GivesElementsOnly);
  const std::string average = "Tensor input|self, int[] output_size";
  table.Add({"nn.AdaptiveAvgPool1d", "F.adaptive_avg_pool1d", "aten::adaptive_avg_pool1d"}, average,
            PlanAdaptiveAveragePool<1>, strided);
  table.Add(
      {"nn.AdaptiveAvgPool2d", "F.adaptive_avg_pool2d", "aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d"},
      average, PlanAdaptiveAveragePool<2>, strided);
  table.Add(
      {"nn.AdaptiveAvgPool3d", "F.adaptive_avg_pool3d", "aten::adaptive_avg_pool3d", "aten::_adaptive_avg_pool3d"},
      average, PlanAdaptiveAveragePool<3>, strided);
  const std::string max = "Tensor input|self, int[] output_size, bool return_indices=";
  table.Add({"nn.AdaptiveMaxPool1d", "F.adaptive_max_pool1d"}, max + "False", PlanAdaptiveMaxPool<1>, strided, chosen);
  table.Add({"nn.AdaptiveMaxPool2d", "F.adaptive_max_pool2d"}, max + "False", PlanAdaptiveMaxPool<2>, strided, chosen);
  table.Add({"nn.AdaptiveMaxPool3d", "F.adaptive_max_pool3d"}, max + "False", PlanAdaptiveMaxPool<3>, strided, chosen);
  table.Add({"aten::adaptive_max_pool1d"}, max + "True", PlanAdaptiveMaxPool<1>, strided);
  table.Add({"aten::adaptive_max_pool2d"}, max + "True", PlanAdaptiveMaxPool<2>, strided);
  table.Add({"aten::adaptive_max_pool3d"}, max + "True", PlanAdaptiveMaxPool<3>, strided);
}

}  // namespace kuiper_infer

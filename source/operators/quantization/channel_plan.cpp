// SPDX-License-Identifier: MIT
#include "operators/quantization/channel_plan.hpp"

#include <algorithm>
#include <string>

#include "operation/views.hpp"
#include "shape/axis_geometry.hpp"

namespace kuiper_infer {

bool HasChannels(const Arguments& arguments) { return arguments.schema().Find("axis") >= 0; }

ChannelParameters ReadChannelParameters(Composition& composition, bool keeps_fractions) {
  const Arguments& arguments = composition.outer();
  const Shape& shape = arguments.Tensor("input").spec.shape;
  ChannelParameters parameters;
  kernel::ChannelGrids& grids = parameters.grids;
  grids.geometry = {1, 1, ElementCount(shape)};
  const bool by_channel = HasChannels(arguments);
  if (by_channel) grids.geometry = LineGeometry(shape, arguments.Axis("axis", static_cast<int64_t>(shape.size())));
  const auto read = [&](const TensorArgument& given, const char* name, RuntimeDataType type) {
    const bool fits = given.spec.size() == grids.geometry.extent && (!by_channel || given.spec.rank() <= 1);
    arguments.Require(fits, std::string(name) + " is " + ShapeString(given.spec.shape) + ", expected " +
                                std::to_string(grids.geometry.extent) + (by_channel ? " for the axis" : " number"));
    return composition.Convert(given, type);
  };
  parameters.scales = read(arguments.Tensor("scale"), "scale", RuntimeDataType::kTypeFloat32);
  const TensorArgument* zero_points = arguments.OptionalTensor("zero_point");
  if (zero_points != nullptr) {
    const bool floating = keeps_fractions && IsFloating(zero_points->spec.type);
    parameters.zero_points =
        read(*zero_points, "zero_point", floating ? RuntimeDataType::kTypeFloat32 : RuntimeDataType::kTypeInt32);
  } else {
    NdArray zeros(RuntimeDataType::kTypeInt32, {grids.geometry.extent});
    std::fill_n(zeros.data<int32_t>(), zeros.size(), 0);
    parameters.zero_points = composition.Constant(zeros);
  }
  const int64_t least = arguments.Int("quant_min");
  const int64_t most = arguments.Int("quant_max");
  arguments.Require(least <= most, "quant_min is " + std::to_string(least) + " and quant_max " + std::to_string(most) +
                                       ", expected ascending numbers");
  grids.least = static_cast<int32_t>(least);
  grids.most = static_cast<int32_t>(most);
  return parameters;
}

TensorArgument ApplyChannels(Composition& composition, const ChannelParameters& parameters, const TensorArgument& input,
                             RuntimeDataType type, const ChannelRun& run) {
  const TensorArgument row_major =
      input.spec.contiguous() ? input : composition.Apply({input}, [&](const std::vector<TensorArgument>& arrays) {
        return PlanCopy(arrays[0], StridedView(arrays[0].spec), input.spec.shape);
      });
  const bool floating = parameters.zero_points.spec.type == RuntimeDataType::kTypeFloat32;
  return composition.Apply({row_major, parameters.scales, parameters.zero_points},
                           [&](const std::vector<TensorArgument>& arrays) {
                             OperationPlan plan;
                             plan.outputs = {OutputPlan::New(type, arrays[0].spec.shape)};
                             plan.run = [run, floating, grids = parameters.grids](const RunContext& c) {
                               kernel::ChannelGrids given = grids;
                               given.scales = c.inputs[1].as<float>();
                               if (floating) {
                                 given.floating_zero_points = c.inputs[2].as<float>();
                               } else {
                                 given.zero_points = c.inputs[2].as<int32_t>();
                               }
                               run(given, c.inputs[0].data, c.outputs[0].data);
                             };
                             return plan;
                           });
}

}  // namespace kuiper_infer

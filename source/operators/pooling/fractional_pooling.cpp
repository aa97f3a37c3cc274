// SPDX-License-Identifier: MIT
#include "kernel/pooling/fractional_pooling.hpp"

#include <algorithm>
#include <cmath>

#include "operation/parameters.hpp"
#include "operators/pooling/pooled_elements.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// The extents of the output: output_size, or floor(extent * output_ratio).
Shape ReadExtents(const Arguments& arguments, const Shape& image) {
  const auto axes = static_cast<int64_t>(image.size());
  if (arguments.Has("output_size")) return arguments.Ints("output_size", axes);
  std::vector<double> ratios = arguments.Floats("output_ratio");
  if (ratios.size() == 1) ratios.resize(image.size(), ratios.front());
  arguments.Require(ratios.size() == image.size(),
                    "output_ratio has " + std::to_string(ratios.size()) + " numbers, expected " + std::to_string(axes));
  Shape extents;
  for (int64_t axis = 0; axis < axes; ++axis) {
    const bool valid = ratios[axis] > 0 && ratios[axis] < 1;
    arguments.Require(valid, "output_ratio is " + std::to_string(ratios[axis]) + ", expected between 0 and 1");
    extents.push_back(static_cast<int64_t>(std::floor(static_cast<double>(image[axis]) * ratios[axis])));
  }
  return extents;
}

template <int64_t kDimensions>
OperationPlan PlanFractionalMaxPool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  RequireFloating(arguments, spatial.input);
  const RuntimeDataType type = spatial.type();
  if (!arguments.Has("samples")) {
    arguments.Fail(ErrorCode::kUnsupported, "the windows are drawn at random, expected given samples");
  }
  const Shape kernel = arguments.Ints("kernel_size", kDimensions);
  const Shape extents = ReadExtents(arguments, spatial.image);
  WindowGrid grid;
  for (int64_t axis = 0; axis < kDimensions; ++axis) {
    const int64_t lead = 3 - kDimensions + axis;
    const int64_t extent = spatial.image[axis];
    const bool fits = kernel[axis] >= 1 && extents[axis] >= 1 && kernel[axis] <= extent && extents[axis] <= extent &&
                      extents[axis] + kernel[axis] - 1 <= extent;
    arguments.Require(fits, "output_size is " + NumbersString(extents) + " with windows of " + NumbersString(kernel) +
                                ", expected windows that fit into an image of " + ShapeString(spatial.image));
    grid.image[lead] = extent;
    grid.window[lead].kernel = kernel[axis];
    grid.positions[lead] = extents[axis];
  }
  const bool batched = spatial.leading.size() == 2;
  const Shape drawn{batched ? spatial.leading[0] : 1, spatial.leading.back(), kDimensions};
  const int samples = ParameterInput(arguments, "samples", drawn, type);
  const bool indices = arguments.Bool("return_indices") || arguments.output_count() > 1;
  const Shape shape = spatial.OutputShape(extents);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  if (indices) {
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt64, shape));
    // The model has one operand for both outputs: a list.
    if (arguments.output_count() == 1) plan.outputs = {OutputPlan::List(std::move(plan.outputs))};
  }
  plan.run = [grid, planes = spatial.planes, input = spatial.input.input, samples, indices](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::FractionalMaxPool(grid, kDimensions, planes, c.inputs[input].as<T>(), c.inputs[samples].as<T>(),
                                c.outputs[0].as<T>(), indices ? c.outputs[1].as<int64_t>() : nullptr);
    });
  };
  return plan;
}

}  // namespace

void RegisterFractionalPooling(OperationTable& table) {
  const OutputValues chosen = Preserves({"input"}, GivesElementsOnly);
  const auto add = [&](const std::string& dimensions, const PlanFunction& plan) {
    table.Add({"nn.FractionalMaxPool" + dimensions, "F.fractional_max_pool" + dimensions},
              "Tensor input, int[] kernel_size, int[]? output_size=None, float[]? output_ratio=None, "
              "bool return_indices=False, Tensor? samples|_random_samples=None",
              plan, InputLayout::kRowMajor, chosen);
    table.Add({"aten::fractional_max_pool" + dimensions},
              "Tensor input|self, int[] kernel_size, int[] output_size, Tensor? samples|random_samples, "
              "bool return_indices=True, float[]? output_ratio=None",
              plan);
  };
  add("2d", PlanFractionalMaxPool<2>);
  add("3d", PlanFractionalMaxPool<3>);
}

}  // namespace kuiper_infer

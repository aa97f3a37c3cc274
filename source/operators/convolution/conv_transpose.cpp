// SPDX-License-Identifier: MIT
#include "operators/convolution/conv_transpose.hpp"

#include "kernel/convolution/convolution.hpp"
#include "operation/planning_context.hpp"
#include "operation/strided_operand.hpp"
#include "operators/convolution/convolution_arguments.hpp"
#include "shape/window.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The windows of a transposed convolution: they lie on the output, and the input's elements are their positions.
WindowGrid MakeTransposedGrid(const ConvolutionArguments& read, const std::vector<int64_t>& output_padding) {
  WindowGrid grid;
  const std::size_t lead = 3 - read.image.size();
  for (std::size_t axis = 0; axis < read.image.size(); ++axis) {
    grid.window[lead + axis] = read.windows[axis];
    grid.positions[lead + axis] = read.image[axis];
    grid.image[lead + axis] = TransposedExtent(read.image[axis], read.windows[axis], output_padding[axis]);
  }
  return grid;
}

template <int64_t kDimensions>
OperationPlan PlanTransposed(const Arguments& arguments) {
  ConvolutionArguments read = ReadConvolution(arguments, kDimensions, true);
  const auto dimensions = static_cast<int64_t>(read.windows.size());
  const std::vector<int64_t> padding = arguments.Ints("padding", dimensions);
  const std::vector<int64_t> output_padding = arguments.Ints("output_padding", dimensions);
  for (int64_t axis = 0; axis < dimensions; ++axis) {
    read.windows[axis].padding_begin = read.windows[axis].padding_end = padding[axis];
  }
  kernel::ConvolutionGeometry& geometry = read.geometry;
  geometry.grid = MakeTransposedGrid(read, output_padding);
  const RuntimeDataType type = read.input.spec.type;
  if (std::optional<OperationPlan> plan = PlanTransposedPhases(arguments.context(), read)) return *std::move(plan);
  const auto schedule = kernel::ScheduleTransposedConvolution(geometry, static_cast<int64_t>(ElementBytes(type)),
                                                              arguments.context().threads);

  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, ConvolutionOutputShape(read, geometry.grid.image))};
  plan.workspace_bytes = schedule.workspace_bytes;
  plan.multiply_adds = geometry.multiply_adds();
  const StridedOperand input = MakeRowMajorOperand(read.input, plan.workspace_bytes);
  const int weight = read.weight.input;
  const int bias = read.bias_input();
  plan.run = [geometry, schedule, type, input, weight, bias](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::TransposedConvolution<T>(geometry, schedule, static_cast<const T*>(OperandData(input, c)),
                                       c.inputs[weight].as<T>(), bias >= 0 ? c.inputs[bias].as<T>() : nullptr,
                                       c.outputs[0].as<T>(), c.workspace);
    });
  };
  return plan;
}

}  // namespace

OperationPlan PlanTransposedConvolution(const Arguments& arguments) { return PlanTransposed<0>(arguments); }

void RegisterConvTranspose(OperationTable& table) {
  const std::string schema =
      "Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, "
      "int groups=1, int[] dilation=1, int? in_channels=None, int? out_channels=None, int[]? kernel_size=None";
  table.Add({"nn.ConvTranspose1d", "F.conv_transpose1d", "aten::conv_transpose1d"}, schema, PlanTransposed<1>,
            InputLayout::kStridedFirst);
  table.Add({"nn.ConvTranspose2d", "F.conv_transpose2d", "aten::conv_transpose2d"}, schema, PlanTransposed<2>,
            InputLayout::kStridedFirst);
  table.Add({"nn.ConvTranspose3d", "F.conv_transpose3d", "aten::conv_transpose3d"}, schema, PlanTransposed<3>,
            InputLayout::kStridedFirst);
}

}  // namespace kuiper_infer

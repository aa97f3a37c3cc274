// SPDX-License-Identifier: MIT
#include "kernel/convolution/deform_convolution.hpp"

#include <algorithm>

#include "operation/parameters.hpp"
#include "operation/planning_context.hpp"
#include "operators/convolution/convolution_arguments.hpp"
#include "shape/window.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The number of groups of shifts. The channels of `offset` hold one pair of shifts for each group and tap.
int64_t ReadOffsetGroups(const Arguments& arguments, const ConvolutionArguments& read, const WindowGrid& grid) {
  const TensorSpec& offset = arguments.Tensor("offset").spec;
  const int64_t pair = 2 * grid.taps();
  const int64_t channels = offset.rank() == 4 ? offset.shape[1] : 0;
  const int64_t groups = channels / pair;
  arguments.Require(groups >= 1 && channels % pair == 0 && read.geometry.channels_in % groups == 0,
                    "offset is " + ShapeString(offset.shape) + ", expected rank 4 with a multiple of " +
                        std::to_string(pair) + " channels, as many times as divide the input's " +
                        std::to_string(read.geometry.channels_in));
  return groups;
}

OperationPlan PlanDeform(const Arguments& arguments, ConvolutionArguments read, bool masked) {
  arguments.Require(read.batched, "input is " + ShapeString(read.input.spec.shape) + ", expected rank 4");
  kernel::DeformConvolutionGeometry geometry;
  geometry.convolution = read.geometry;
  WindowGrid& grid = geometry.convolution.grid;
  grid = MakeWindowGrid(read.image, read.windows);
  geometry.offset_groups = ReadOffsetGroups(arguments, read, grid);
  const RuntimeDataType type = read.input.spec.type;
  const int64_t rows = geometry.offset_groups * grid.taps();
  const auto shape = [&](int64_t channels) {
    return Shape{read.geometry.batch, channels, grid.positions[1], grid.positions[2]};
  };
  const int offset = ParameterInput(arguments, "offset", shape(2 * rows), type);
  const int mask = masked ? ParameterInput(arguments, "mask", shape(rows), type) : -1;
  geometry.workers = std::clamp<int64_t>(read.geometry.batch * grid.position_count(), 1, arguments.context().threads);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, ConvolutionOutputShape(read, grid.positions))};
  plan.workspace_bytes = geometry.workers * geometry.WorkerElements() * static_cast<int64_t>(ElementBytes(type));
  plan.multiply_adds = geometry.convolution.multiply_adds();
  const int bias = read.bias_input();
  plan.run = [geometry, offset, mask, input = read.input.input, weight = read.weight.input, bias,
              type](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::DeformConvolution(geometry, c.inputs[input].as<T>(), c.inputs[offset].as<T>(), DataOrNull<T>(c, mask),
                                c.inputs[weight].as<T>(), DataOrNull<T>(c, bias), c.outputs[0].as<T>(), c.workspace);
    });
  };
  return plan;
}

OperationPlan PlanModule(const Arguments& arguments) {
  ConvolutionArguments read = ReadConvolution(arguments, 2, false);
  ReadPadding(arguments, read.windows);
  return PlanDeform(arguments, std::move(read), arguments.Has("mask"));
}

/// Plans the converter's form of the operation, with a number for each axis, and with a mask and a bias in any case.
OperationPlan PlanNumbers(const Arguments& arguments) {
  ConvolutionArguments read = ReadConvolutionArrays(arguments, 2, false);
  const char* const names[2][3] = {{"stride_h", "pad_h", "dilation_h"}, {"stride_w", "pad_w", "dilation_w"}};
  for (int axis = 0; axis < 2; ++axis) {
    Window& window = read.windows[axis];
    window.stride = arguments.Int(names[axis][0]);
    window.padding_begin = window.padding_end = arguments.Int(names[axis][1]);
    window.dilation = arguments.Int(names[axis][2]);
  }
  return PlanDeform(arguments, std::move(read), arguments.Bool("use_mask"));
}

}  // namespace

void RegisterDeformConvolution(OperationTable& table) {
  const std::string recorded = ", int? in_channels=None, int? out_channels=None, int[]? kernel_size=None";
  table.Add({"torchvision.ops.DeformConv2d"},
            "Tensor input, Tensor offset, Tensor? mask=None, Tensor weight, Tensor? bias=None, int[] stride=1, "
            "any padding=0, int[] dilation=1, int groups=1" +
                recorded,
            PlanModule);
  table.Add({"torchvision.ops.deform_conv2d"},
            "Tensor input, Tensor offset, Tensor weight, Tensor? bias=None, int[] stride=1, any padding=0, "
            "int[] dilation=1, Tensor? mask=None, int groups=1" +
                recorded,
            PlanModule);
  table.Add({"pnnx.custom_op.torchvision.deform_conv2d"},
            "Tensor input|arg_0, Tensor weight|arg_1, Tensor offset|arg_2, Tensor? mask|arg_3=None, "
            "Tensor? bias|arg_4=None, int stride_h|arg_5=1, int stride_w|arg_6=1, int pad_h|arg_7=0, "
            "int pad_w|arg_8=0, int dilation_h|arg_9=1, int dilation_w|arg_10=1, int groups|arg_11=1, "
            "int offset_groups|arg_12=1, bool use_mask|arg_13=False" +
                recorded,
            PlanNumbers);
}

}  // namespace kuiper_infer

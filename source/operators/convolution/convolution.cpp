// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution.hpp"

#include <algorithm>

#include "data/memory_budget.hpp"
#include "operation/computation.hpp"
#include "operation/planning_context.hpp"
#include "operation/strided_operand.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operators/convolution/channels_last_convolution.hpp"
#include "operators/convolution/conv_transpose.hpp"
#include "operators/convolution/convolution_arguments.hpp"
#include "shape/window.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

kernel::PadMode ReadPadMode(const Arguments& arguments) {
  const std::string mode = arguments.String("padding_mode");
  if (mode == "zeros") return kernel::PadMode::kConstant;
  if (mode == "reflect") return kernel::PadMode::kReflect;
  if (mode == "replicate") return kernel::PadMode::kReplicate;
  if (mode == "circular") return kernel::PadMode::kCircular;
  arguments.Fail(ErrorCode::kArgument,
                 "padding_mode is '" + mode + "', expected 'zeros', 'reflect', 'replicate' or 'circular'");
}

/// Replaces the windows' padding by a padding of the input, for modes that pad with elements of the image.
void PadInput(const Arguments& arguments, kernel::PadMode mode, ConvolutionArguments& convolution) {
  WindowGrid& grid = convolution.geometry.grid;
  convolution.pad_mode = mode;
  convolution.padded_shape = convolution.input.spec.shape;
  convolution.pad_begin = Shape(convolution.padded_shape.size(), 0);
  const std::size_t first = convolution.padded_shape.size() - convolution.image.size();
  for (std::size_t axis = 3 - convolution.image.size(); axis < 3; ++axis) {
    Window& window = grid.window[axis];
    const int64_t most = std::max(window.padding_begin, window.padding_end);
    const int64_t limit = grid.image[axis] + (mode == kernel::PadMode::kReflect ? -1 : 0);
    arguments.Require(most <= limit || mode == kernel::PadMode::kReplicate,
                      "padding is " + std::to_string(most) + ", expected at most " + std::to_string(limit) +
                          " for this padding_mode and an input of " + ShapeString(convolution.image));
    const std::size_t dimension = first + axis - (3 - convolution.image.size());
    convolution.pad_begin[dimension] = window.padding_begin;
    grid.image[axis] += window.padding_begin + window.padding_end;
    convolution.padded_shape[dimension] = grid.image[axis];
    window.padding_begin = window.padding_end = 0;
  }
}

template <int64_t kDimensions>
OperationPlan PlanConvolution(const Arguments& arguments) {
  ConvolutionArguments read = ReadConvolution(arguments, kDimensions, false);
  ReadPadding(arguments, read.windows);
  kernel::ConvolutionGeometry& geometry = read.geometry;
  geometry.grid = MakeWindowGrid(read.image, read.windows);
  const RuntimeDataType type = read.input.spec.type;
  // Some methods copy the padded images, so memory must be able to hold them.
  const Extents3 padded = geometry.grid.padded_image();
  RequireMemory(ElementCount({geometry.batch, geometry.channels_in, padded[0], padded[1], padded[2]}),
                static_cast<int64_t>(ElementBytes(type)));

  const kernel::PadMode mode = ReadPadMode(arguments);
  if (geometry.grid.pads() && mode != kernel::PadMode::kConstant) PadInput(arguments, mode, read);
  if (std::optional<OperationPlan> plan = PlanChannelsLastConvolution(read, arguments.context()))
    return *std::move(plan);
  const auto schedule =
      kernel::ScheduleConvolution(geometry, static_cast<int64_t>(ElementBytes(type)), arguments.context().threads);

  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, ConvolutionOutputShape(read, geometry.grid.positions))};
  plan.workspace_bytes = schedule.workspace_bytes;
  plan.multiply_adds = geometry.multiply_adds();
  plan.method = "planar";
  const StridedOperand input =
      read.Input(RowMajorOrder(read.input.spec.rank()), read.input.spec.contiguous(), plan.workspace_bytes);
  const StridedOperand weight = MakeRowMajorOperand(read.weight, plan.workspace_bytes);
  const StridedOperand bias =
      read.bias.has_value() ? MakeRowMajorOperand(*read.bias, plan.workspace_bytes) : StridedOperand{};
  // A plan whose input is known already runs only once.
  const bool packs = schedule.reads_packed() && !read.input.is_constant();
  const auto packed = packs ? PackLeftWeight(arguments.context(), read.weight, geometry.groups) : nullptr;
  SetActivatedCall(plan, [=](const kernel::Activation& activation) {
    return [=](const RunContext& c) {
      const void* image = OperandData(input, c);
      DispatchFloating(type, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const kernel::ConvolutionWeight<T> weights{static_cast<const T*>(OperandData(weight, c)),
                                                   packed ? static_cast<const float*>(packed->packed.raw()) : nullptr,
                                                   static_cast<const T*>(OperandData(bias, c))};
        kernel::Convolution<T>(geometry, schedule, static_cast<const T*>(image), weights, activation,
                               c.outputs[0].as<T>(), c.workspace);
      });
    };
  });
  return plan;
}

/// Plans the general form of a convolution, which also stands for transposed ones.
OperationPlan PlanAnyConvolution(const Arguments& arguments) {
  return arguments.Bool("transposed") ? PlanTransposedConvolution(arguments) : PlanConvolution<0>(arguments);
}

}  // namespace

void RegisterConvolution(OperationTable& table) {
  const std::string schema =
      "Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, any padding=0, int[] dilation=1, int groups=1, "
      "str padding_mode=zeros, int? in_channels=None, int? out_channels=None, int[]? kernel_size=None";
  table.Add({"nn.Conv1d", "F.conv1d", "aten::conv1d"}, schema, PlanConvolution<1>, InputLayout::kStrided);
  table.Add({"nn.Conv2d", "F.conv2d", "aten::conv2d"}, schema, PlanConvolution<2>, InputLayout::kStrided);
  table.Add({"nn.Conv3d", "F.conv3d", "aten::conv3d"}, schema, PlanConvolution<3>, InputLayout::kStrided);
  table.Add({"aten::_convolution_mode"}, schema, PlanConvolution<0>, InputLayout::kStrided);
  table.Add({"aten::convolution", "aten::_convolution"},
            "Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, any padding=0, int[] dilation=1, "
            "bool transposed=False, int[] output_padding=0, int groups=1, bool benchmark=False, "
            "bool deterministic=False, bool cudnn_enabled=False, bool allow_tf32=False, str padding_mode=zeros",
            PlanAnyConvolution);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "kernel/pooling/pooling.hpp"

#include <type_traits>

#include "operation/strided_operand.hpp"
#include "operators/pooling/channels_last_pooling.hpp"
#include "operators/pooling/pooled_elements.hpp"
#include "operators/pooling/pooling_windows.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The boxes under the windows; `divisor` null: the largest element is wanted.
kernel::ChannelsLastPooling MakeBoxes(const WindowGrid& grid, const kernel::AverageDivisor* divisor) {
  kernel::ChannelsLastPooling pooling;
  pooling.maximum = divisor == nullptr;
  if (divisor != nullptr) pooling.fixed_divisor = static_cast<double>(divisor->fixed);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Window& window = grid.window[axis];
    const int64_t extent = grid.image[axis];
    pooling.dilation[axis] = window.dilation;
    AppendRanges(pooling.axes[axis], grid.positions[axis], [&](int64_t position) -> kernel::ChannelsLastPooling::Range {
      const int64_t part = divisor == nullptr ? 1 : divisor->AxisPart(window, extent, position);
      return {CoveredElements(window, extent, position), part};
    });
  }
  return pooling;
}

template <int64_t kDimensions>
OperationPlan PlanMaxPool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  const RuntimeDataType type = spatial.type();
  arguments.Require(IsInteger(type) || type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64,
                    std::string("input is ") + TypeName(type) + ", expected float32, float64 or integers");
  const WindowGrid grid = ReadPoolingWindows(arguments, spatial);
  const bool indices = arguments.Bool("return_indices") || arguments.output_count() > 1;
  if (!indices) {
    if (auto plan = PlanChannelsLastPool(spatial, MakeBoxes(grid, nullptr), arguments.context()))
      return *std::move(plan);
  }
  const Shape shape = spatial.OutputShape(grid.positions);
  OperationPlan plan;
  const StridedOperand input = MakeRowMajorOperand(spatial.input, plan.workspace_bytes);
  plan.outputs = {OutputPlan::New(type, shape)};
  if (indices) {
    plan.outputs.push_back(OutputPlan::New(RuntimeDataType::kTypeInt64, shape));
    // The model has one operand for both outputs: a list.
    if (arguments.output_count() == 1) plan.outputs = {OutputPlan::List(std::move(plan.outputs))};
  }
  plan.run = [grid, type, indices, planes = spatial.planes, input](const RunContext& c) {
    const void* image = OperandData(input, c);
    DispatchReal(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (!std::is_same_v<T, bool>) {
        kernel::MaxPool(grid, planes, static_cast<const T*>(image), c.outputs[0].as<T>(),
                        indices ? c.outputs[1].as<int64_t>() : nullptr);
      }
    });
  };
  return plan;
}

template <int64_t kDimensions>
OperationPlan PlanAveragePool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  RequireFloating(arguments, spatial.input);
  const WindowGrid grid = ReadPoolingWindows(arguments, spatial);
  for (const Window& window : grid.window) {
    arguments.Require(window.dilation == 1, "dilation is " + std::to_string(window.dilation) + ", expected 1");
  }
  kernel::AverageDivisor divisor;
  divisor.count_padding = arguments.Bool("count_include_pad");
  if (arguments.Has("divisor_override")) {
    divisor.fixed = arguments.Int("divisor_override");
    arguments.Require(divisor.fixed != 0, "divisor_override is 0, expected another number");
  }
  if (auto plan = PlanChannelsLastPool(spatial, MakeBoxes(grid, &divisor), arguments.context()))
    return *std::move(plan);
  OperationPlan plan;
  const StridedOperand input = MakeRowMajorOperand(spatial.input, plan.workspace_bytes);
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(grid.positions))};
  plan.run = [grid, divisor, planes = spatial.planes, input](const RunContext& c) {
    const void* image = OperandData(input, c);
    DispatchFloating(c.inputs[input.input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::AveragePool(grid, divisor, planes, static_cast<const T*>(image), c.outputs[0].as<T>());
    });
  };
  return plan;
}

}  // namespace

void RegisterPooling(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues chosen = Preserves({"input"}, GivesElementsOnly);
  const std::string max =
      "Tensor input|self, int[] kernel_size, int[]? stride=None, int[] padding=0, int[] dilation=1, "
      "bool ceil_mode=False, bool return_indices=";
  table.Add({"nn.MaxPool1d", "F.max_pool1d", "aten::max_pool1d"}, max + "False", PlanMaxPool<1>, strided, chosen);
  table.Add({"nn.MaxPool2d", "F.max_pool2d", "aten::max_pool2d"}, max + "False", PlanMaxPool<2>, strided, chosen);
  table.Add({"nn.MaxPool3d", "F.max_pool3d", "aten::max_pool3d"}, max + "False", PlanMaxPool<3>, strided, chosen);
  table.Add({"aten::max_pool1d_with_indices"}, max + "True", PlanMaxPool<1>, strided);
  table.Add({"aten::max_pool2d_with_indices"}, max + "True", PlanMaxPool<2>, strided);
  table.Add({"aten::max_pool3d_with_indices"}, max + "True", PlanMaxPool<3>, strided);
  const std::string average =
      "Tensor input|self, int[] kernel_size, int[]? stride=None, int[] padding=0, bool ceil_mode=False, "
      "bool count_include_pad=True, int? divisor_override=None, int[] dilation=1";
  table.Add({"nn.AvgPool1d", "F.avg_pool1d", "aten::avg_pool1d"}, average, PlanAveragePool<1>, strided);
  table.Add({"nn.AvgPool2d", "F.avg_pool2d", "aten::avg_pool2d"}, average, PlanAveragePool<2>, strided);
  table.Add({"nn.AvgPool3d", "F.avg_pool3d", "aten::avg_pool3d"}, average, PlanAveragePool<3>, strided);
}

}  // namespace kuiper_infer

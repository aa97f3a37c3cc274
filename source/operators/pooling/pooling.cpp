// SPDX-License-Identifier: MIT
#include "kernel/pooling/pooling.hpp"

#include <type_traits>

#include "operation/parameters.hpp"
#include "operation/strided_operand.hpp"
#include "operators/pooling/channels_last_pooling.hpp"
#include "operators/pooling/pooled_elements.hpp"
#include "shape/window.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Reads kernel_size, stride (None or empty: kernel_size), padding and dilation, as far as the operation has them.
WindowGrid ReadWindows(const Arguments& arguments, const SpatialInput& spatial) {
  const auto axes = static_cast<int64_t>(spatial.image.size());
  const auto read = [&](const char* name, int64_t otherwise) {
    const bool given = arguments.Has(name) && !arguments.Ints(name).empty();
    return given ? arguments.Ints(name, axes) : std::vector<int64_t>(static_cast<std::size_t>(axes), otherwise);
  };
  const std::vector<int64_t> kernel = arguments.Ints("kernel_size", axes);
  std::vector<int64_t> stride = read("stride", 0);
  if (!arguments.Has("stride") || arguments.Ints("stride").empty()) stride = kernel;
  const std::vector<int64_t> padding = read("padding", 0);
  const std::vector<int64_t> dilation = read("dilation", 1);
  std::vector<Window> windows;
  for (int64_t axis = 0; axis < axes; ++axis) {
    windows.push_back({kernel[axis], stride[axis], padding[axis], padding[axis], dilation[axis]});
  }
  const bool ceil_mode = arguments.Bool("ceil_mode");
  const WindowGrid grid = MakeWindowGrid(spatial.image, windows, ceil_mode);
  for (const Window& window : windows) {
    const int64_t covered = (window.kernel - 1) * window.dilation + 1;
    arguments.Require(window.padding_begin <= covered / 2, "padding is " + std::to_string(window.padding_begin) +
                                                               ", expected at most half of the window's " +
                                                               std::to_string(covered) + " elements");
  }
  return grid;
}

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
  const WindowGrid grid = ReadWindows(arguments, spatial);
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
  const WindowGrid grid = ReadWindows(arguments, spatial);
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

template <int64_t kDimensions>
OperationPlan PlanLpPool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  RequireFloating(arguments, spatial.input);
  const WindowGrid grid = ReadWindows(arguments, spatial);
  const double p = arguments.Float("norm_type");
  arguments.Require(p != 0, "norm_type is 0, expected another number");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(grid.positions))};
  plan.workspace_bytes = ByteCount(spatial.type(), spatial.input.spec.shape);
  plan.run = [grid, p, planes = spatial.planes, input = spatial.input.input](const RunContext& c) {
    DispatchFloating(c.inputs[input].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::LpPool(grid, p, planes, c.inputs[input].as<T>(), reinterpret_cast<T*>(c.workspace), c.outputs[0].as<T>());
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
  const std::string lp = "Tensor input, float norm_type, int[] kernel_size, int[]? stride=None, bool ceil_mode=False";
  table.Add({"nn.LPPool1d", "F.lp_pool1d"}, lp, PlanLpPool<1>);
  table.Add({"nn.LPPool2d", "F.lp_pool2d"}, lp, PlanLpPool<2>);
  table.Add({"nn.LPPool3d", "F.lp_pool3d"}, lp, PlanLpPool<3>);
}

}  // namespace kuiper_infer

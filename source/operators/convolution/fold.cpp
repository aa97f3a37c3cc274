// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "kernel/convolution/im2col.hpp"
#include "operation/operation.hpp"
#include "shape/window.hpp"
#include "utils/dispatch.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// The sliding blocks of an image of the given (height, width).
WindowGrid ReadBlocks(const Arguments& arguments, const Shape& image) {
  const std::vector<int64_t> kernel = arguments.Ints("kernel_size", 2);
  const std::vector<int64_t> dilation = arguments.Ints("dilation", 2);
  const std::vector<int64_t> padding = arguments.Ints("padding", 2);
  const std::vector<int64_t> stride = arguments.Ints("stride", 2);
  std::vector<Window> windows;
  for (int axis = 0; axis < 2; ++axis) {
    windows.push_back({kernel[axis], stride[axis], padding[axis], padding[axis], dilation[axis]});
  }
  ElementCount(kernel);  // throws if the product would overflow
  return MakeWindowGrid(image, windows);
}

/// Plans unfold: (batch, channels, height, width), the batch optional, becomes (batch, channels * taps, blocks).
OperationPlan PlanUnfold(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() == 3 || shape.size() == 4,
                    "input is " + ShapeString(shape) + ", expected rank 4 or, without a batch, 3");
  const WindowGrid grid = ReadBlocks(arguments, {shape.end()[-2], shape.end()[-1]});
  const int64_t channels = shape.end()[-3];
  const int64_t batch = shape.size() == 4 ? shape[0] : 1;
  Shape out(shape.begin(), shape.end() - 3);
  out.push_back(channels * grid.taps());
  out.push_back(grid.position_count());
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, out)};
  plan.run = [grid, planes = batch * channels, index = input.input](const RunContext& c) {
    DispatchFloating(c.outputs[0].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const int64_t blocks = grid.position_count();
      kernel::Im2Col<T>(grid, planes, 0, blocks, c.inputs[index].as<T>(), c.outputs[0].as<T>(), blocks);
    });
  };
  return plan;
}

/// Plans fold: (batch, channels * taps, blocks), the batch optional, becomes (batch, channels, output_size), overlaps
/// summed.
OperationPlan PlanFold(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() == 2 || shape.size() == 3,
                    "input is " + ShapeString(shape) + ", expected rank 3 or, without a batch, 2");
  const Shape size = arguments.Ints("output_size", 2);
  const WindowGrid grid = ReadBlocks(arguments, size);
  const int64_t rows = shape.end()[-2];
  arguments.Require(rows % grid.taps() == 0, "input has " + std::to_string(rows) +
                                                 " rows, expected a multiple of the kernel's " +
                                                 std::to_string(grid.taps()) + " elements");
  arguments.Require(shape.back() == grid.position_count(),
                    "input has " + std::to_string(shape.back()) + " blocks, expected " +
                        std::to_string(grid.position_count()) + " for output_size " + NumbersString(size));
  const int64_t channels = rows / grid.taps();
  const int64_t batch = shape.size() == 3 ? shape[0] : 1;
  Shape out(shape.begin(), shape.end() - 2);
  out.insert(out.end(), {channels, size[0], size[1]});
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, out)};
  plan.run = [grid, planes = batch * channels, index = input.input](const RunContext& c) {
    DispatchFloating(c.outputs[0].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const int64_t blocks = grid.position_count();
      T* image = c.outputs[0].as<T>();
      std::fill_n(image, planes * grid.image_size(), T(0));
      kernel::Col2Im<T>(grid, planes, 0, blocks, c.inputs[index].as<T>(), blocks, image);
    });
  };
  return plan;
}

}  // namespace

void RegisterFold(OperationTable& table) {
  const std::string options = "int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1";
  table.Add({"nn.Unfold", "F.unfold", "aten::im2col"}, "Tensor input|self, " + options, PlanUnfold,
            InputLayout::kRowMajor, Preserves({"input"}));
  table.Add({"nn.Fold", "F.fold", "aten::col2im"}, "Tensor input|self, int[2] output_size, " + options, PlanFold);
}

}  // namespace kuiper_infer

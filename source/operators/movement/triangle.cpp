// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/strided_copy.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

/// Plans zeros but for the input's elements along a diagonal between the axes `first` and `second` (at least as long as
/// the diagonal) of an array of shape `shape`.
OperationPlan PlanOnDiagonal(const TensorArgument& input, const Shape& shape, int64_t offset, int64_t first,
                             int64_t second) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  const StridedView view(plan.outputs.front().spec);
  const StridedCopy diagonal(input, TakeDiagonal(view, offset, first, second));
  plan.run = [diagonal, bytes = ByteCount(input.spec.type, shape)](const RunContext& c) {
    // Zero has no bit set in any element type.
    std::fill_n(c.outputs[0].as<char>(), bytes, char{0});
    diagonal.Run(c);
  };
  return plan;
}

/// Plans an array in which the last axis becomes the diagonal of two axes.
OperationPlan PlanEmbedded(const Arguments& arguments, const TensorArgument& input, int64_t offset, int64_t first,
                           int64_t second) {
  const int64_t extent = input.spec.shape.back();
  constexpr int64_t kMost = int64_t{1} << 40;
  arguments.Require(offset > -kMost && offset < kMost,
                    "offset is " + std::to_string(offset) + ", expected less than 2^40 in size");
  arguments.Require(first != second, "the two axes of a diagonal are the same, expected different ones");
  Shape shape(input.spec.shape.begin(), input.spec.shape.end() - 1);
  shape.insert(shape.begin() + std::min(first, second), extent + std::abs(offset));
  shape.insert(shape.begin() + std::max(first, second), extent + std::abs(offset));
  return PlanOnDiagonal(input, shape, offset, first, second);
}

OperationPlan PlanDiagEmbed(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() > 0, "input is (), expected rank 1 or more");
  const int64_t rank = input.spec.rank() + 1;
  return PlanEmbedded(arguments, input, arguments.Int("offset"), arguments.Axis("dim1", rank),
                      arguments.Axis("dim2", rank));
}

/// Plans a matrix's diagonal, or a matrix from its diagonal.
OperationPlan PlanDiag(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t offset = arguments.Int("diagonal");
  if (input.spec.rank() == 1) return PlanEmbedded(arguments, input, offset, 0, 1);
  arguments.Require(input.spec.rank() == 2, "input is " + ShapeString(input.spec.shape) + ", expected rank 1 or 2");
  return PlanView(input, TakeDiagonal(StridedView(input.spec), offset, 0, 1));
}

/// Plans a matrix with all elements, row by row, on its diagonal.
OperationPlan PlanDiagFlat(const Arguments& arguments) {
  TensorArgument input = arguments.Tensor("input");
  input.spec = TensorSpec(input.spec.type, {input.spec.size()});
  return PlanEmbedded(arguments, input, arguments.Int("offset"), 0, 1);
}

/// Plans matrices with zeros below (kUpper) or above a diagonal.
template <bool kUpper>
OperationPlan PlanTriangle(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& shape = input.spec.shape;
  arguments.Require(shape.size() >= 2, "input is " + ShapeString(shape) + ", expected rank 2 or more");
  const int64_t rows = shape.end()[-2];
  const int64_t columns = shape.back();
  const int64_t diagonal = std::clamp(arguments.Int("diagonal"), -rows, columns);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  const StridedCopy all(input, StridedView(plan.outputs.front().spec));
  const int64_t width = static_cast<int64_t>(ElementBytes(input.spec.type));
  plan.run = [all, rows, columns, diagonal, width,
              lines = input.spec.size() / std::max<int64_t>(columns, 1)](const RunContext& c) {
    all.Run(c);
    for (int64_t line = 0; line < lines; ++line) {
      char* row = c.outputs[0].as<char>() + line * columns * width;
      // The first column above the diagonal, or on it for the upper triangle.
      const int64_t cut = std::clamp(line % rows + diagonal + (kUpper ? 0 : 1), int64_t{0}, columns);
      if (kUpper) {
        std::fill_n(row, cut * width, char{0});
      } else {
        std::fill_n(row + cut * width, (columns - cut) * width, char{0});
      }
    }
  };
  return plan;
}

}  // namespace

void RegisterTriangle(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.diag", "aten::diag"}, "Tensor input|self, int diagonal=0", PlanDiag, strided, moved);
  table.Add({"torch.diag_embed", "aten::diag_embed"}, "Tensor input|self, int offset=0, int dim1=-2, int dim2=-1",
            PlanDiagEmbed, strided, moved);
  table.Add({"torch.diagflat", "aten::diagflat"}, "Tensor input|self, int offset=0", PlanDiagFlat,
            InputLayout::kRowMajor, moved);
  table.Add({"torch.triu", "aten::triu"}, "Tensor input|self, int diagonal=0", PlanTriangle<true>, strided, moved);
  table.Add({"torch.tril", "aten::tril"}, "Tensor input|self, int diagonal=0", PlanTriangle<false>, strided, moved);
}

}  // namespace kuiper_infer

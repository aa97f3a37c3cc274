// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "data/memory_budget.hpp"
#include "operators/creation/creation.hpp"

namespace kuiper_infer {
namespace {

/// The sum of t, kept within 0 and `most`, over all t up to `last`.
int64_t SumOfKept(int64_t last, int64_t most) {
  if (last <= 0) return 0;
  return last <= most ? last * (last + 1) / 2 : most * (most + 1) / 2 + (last - most) * most;
}

/// Plans the indices of a triangle of a matrix: a row of row numbers and a row of column numbers, in row-major order.
/// The triangle lies below the diagonal `offset` or, with kUpper, above it; the diagonal belongs to it.
template <bool kUpper>
OperationPlan PlanTriangleIndices(const Arguments& arguments) {
  const int64_t rows = arguments.Int("row");
  const int64_t columns = arguments.Int("col");
  arguments.Require(rows >= 0 && columns >= 0, "row is " + std::to_string(rows) + " and col " +
                                                   std::to_string(columns) + ", expected no negative extents");
  const int64_t offset = std::clamp(arguments.Int("offset"), -rows, columns);
  const auto edge = [&](int64_t row) { return std::clamp(row + offset + (kUpper ? 0 : 1), int64_t{0}, columns); };
  const auto first = [&](int64_t row) { return kUpper ? edge(row) : 0; };
  const auto end = [&](int64_t row) { return kUpper ? columns : edge(row); };
  const int64_t before = offset + (kUpper ? 0 : 1);  // the edge of the first row, not yet kept within the columns
  const int64_t edges = SumOfKept(rows - 1 + before, columns) - SumOfKept(before - 1, columns);
  const int64_t count = kUpper ? rows * columns - edges : edges;
  const TensorSpec spec(RuntimeDataType::kTypeInt64, {2, count});
  RequireMemory(ByteCount(spec.type, spec.shape));
  NdArray indices(spec.type, spec.shape);
  auto* at = indices.data<int64_t>();
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = first(row); column < end(row); ++column, ++at) {
      at[0] = row;
      at[count] = column;
    }
  }
  return PlanKnown(indices.To(TypeOr(arguments, RuntimeDataType::kTypeInt64)));
}

}  // namespace

void RegisterTriangleIndices(OperationTable& table) {
  const std::string schema = "int row, int col, int offset=0" + std::string(kCreationOptions);
  table.Add({"torch.tril_indices", "aten::tril_indices"}, schema, PlanTriangleIndices<false>, InputLayout::kStrided);
  table.Add({"torch.triu_indices", "aten::triu_indices"}, schema, PlanTriangleIndices<true>, InputLayout::kStrided);
}

}  // namespace kuiper_infer

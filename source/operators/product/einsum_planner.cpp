// SPDX-License-Identifier: MIT
#include "operators/product/einsum_planner.hpp"

#include <algorithm>
#include <utility>

#include "kernel/movement/copy.hpp"
#include "kernel/product/matmul.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

bool Contains(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

/// Labels of `a` that are (or are not) in `b`.
std::string Filter(const std::string& a, const std::string& b, bool in_b) {
  std::string kept;
  std::copy_if(a.begin(), a.end(), std::back_inserter(kept), [&](char label) { return Contains(b, label) == in_b; });
  return kept;
}

/// Returns the axes [first, last) merged into one, or nothing if their strides don't allow it.
std::optional<std::pair<int64_t, int64_t>> MergeAxes(const TensorSpec& spec, std::size_t first, std::size_t last) {
  int64_t extent = 1;
  int64_t stride = 1;
  for (std::size_t axis = last; axis-- > first;) {
    if (spec.shape[axis] == 0) return std::make_pair(int64_t{0}, int64_t{1});
    if (spec.shape[axis] == 1) continue;
    if (extent == 1) {
      stride = spec.strides[axis];
    } else if (spec.strides[axis] != stride * extent) {
      return std::nullopt;
    }
    extent *= spec.shape[axis];
  }
  return std::make_pair(extent, stride);
}

std::optional<TensorSpec> MergeMatrices(const TensorSpec& spec, std::size_t batch, std::size_t rows) {
  const auto row = MergeAxes(spec, batch, batch + rows);
  const auto column = MergeAxes(spec, batch + rows, spec.shape.size());
  if (!row || !column) return std::nullopt;
  Shape shape(spec.shape.begin(), spec.shape.begin() + static_cast<std::ptrdiff_t>(batch));
  Strides strides(spec.strides.begin(), spec.strides.begin() + static_cast<std::ptrdiff_t>(batch));
  shape.insert(shape.end(), {row->first, column->first});
  strides.insert(strides.end(), {row->second, column->second});
  return TensorSpec(spec.type, shape, strides);
}

const void* Data(const EinsumFactor& factor, const RunContext& c) {
  return factor.input >= 0 ? c.inputs[factor.input].data : c.workspace + factor.offset;
}

ConstArrayView View(const EinsumStep::Side& side, const RunContext& c) {
  if (!side.copy_offset) return {Data(side.factor, c), side.matrices};
  void* copy = c.workspace + *side.copy_offset;
  const TensorSpec& from = side.factor.array.spec;
  kernel::Copy({Data(side.factor, c), from}, {copy, TensorSpec(from.type, from.shape)});
  return {copy, side.matrices};
}

}  // namespace

EinsumFactor EinsumPlanner::SumOut(const EinsumFactor& factor, const std::string& kept) {
  const std::string summed = Filter(factor.array.labels, kept + output_, false);
  if (summed.empty()) return factor;
  EinsumFactor ones;
  ones.array = SelectLabels(factor.array, summed);
  std::fill(ones.array.spec.strides.begin(), ones.array.spec.strides.end(), 0);
  ones.offset = Allocate({});
  ones_.push_back(ones.offset);
  return Multiply(factor, ones, kept);
}

EinsumFactor EinsumPlanner::Multiply(const EinsumFactor& left, const EinsumFactor& right, const std::string& kept) {
  const std::string& a = left.array.labels;
  const std::string& b = right.array.labels;
  const std::string common = Filter(a, b, true);
  const std::string batch = Filter(common, kept + output_, true);
  const std::string summed = Filter(common, kept + output_, false);
  const std::string m = Filter(a, b, false);
  const std::string n = Filter(b, a, false);
  EinsumStep step;
  step.left = MakeSide(left, batch, m, summed);
  step.right = MakeSide(right, batch, summed, n);
  EinsumFactor result;
  result.array.labels = batch + m + n;
  result.array.spec.type = type_;
  for (const char label : result.array.labels) {
    const EinsumFactor& source = Contains(a, label) ? left : right;
    result.array.spec.shape.push_back(source.array.spec.shape[source.array.labels.find(label)]);
  }
  result.array.spec = TensorSpec(type_, result.array.spec.shape);
  result.offset = Allocate(result.array.spec.shape);
  step.product_offset = result.offset;
  Shape shape = step.left.matrices.shape;
  shape.back() = step.right.matrices.shape.back();
  step.product = TensorSpec(type_, shape);
  multiply_adds_ += static_cast<double>(step.product.size()) * static_cast<double>(step.left.matrices.shape.back());
  steps_.push_back(std::move(step));
  return result;
}

OperationPlan EinsumPlanner::Finish(EinsumFactor result) {
  result.array = SelectLabels(result.array, output_);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type_, result.array.spec.shape)};
  plan.workspace_bytes = bytes_;
  plan.multiply_adds = multiply_adds_;
  plan.run = [steps = std::move(steps_), ones = std::move(ones_), result, type = type_](const RunContext& c) {
    const float one = 1;
    for (const int64_t offset : ones) {
      kernel::Copy({&one, TensorSpec(RuntimeDataType::kTypeFloat32, {})}, {c.workspace + offset, TensorSpec(type, {})});
    }
    for (const EinsumStep& step : steps) {
      kernel::BatchedMatmul(1, View(step.left, c), View(step.right, c), 0,
                            {c.workspace + step.product_offset, step.product});
    }
    kernel::Copy({Data(result, c), result.array.spec}, c.outputs[0]);
  };
  return plan;
}

/// The factor with its axes ordered (batch, rows, columns), rows and columns each merged into one axis of a matrix.
EinsumStep::Side EinsumPlanner::MakeSide(const EinsumFactor& factor, const std::string& batch, const std::string& rows,
                                         const std::string& columns) {
  EinsumStep::Side side{factor, std::nullopt, {}};
  side.factor.array = SelectLabels(factor.array, batch + rows + columns);
  const std::optional<TensorSpec> merged = MergeMatrices(side.factor.array.spec, batch.size(), rows.size());
  if (merged && kernel::IsGemmReady(*merged)) {
    side.matrices = *merged;
    return side;
  }
  const Shape& shape = side.factor.array.spec.shape;
  side.copy_offset = Allocate(shape);
  side.matrices = *MergeMatrices(TensorSpec(type_, shape), batch.size(), rows.size());
  return side;
}

int64_t EinsumPlanner::Allocate(const Shape& shape) {
  const int64_t offset = bytes_;
  bytes_ += AlignedBytes(ByteCount(type_, shape));
  return offset;
}

}  // namespace kuiper_infer

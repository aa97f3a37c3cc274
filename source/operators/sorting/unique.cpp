// SPDX-License-Identifier: MIT
#include "kernel/sorting/unique.hpp"

#include <algorithm>
#include <string>

#include "kernel/indexing/embedding.hpp"
#include "operation/operation.hpp"
#include "shape/axis_geometry.hpp"

namespace kuiper_infer {
namespace {

using GroupFunction = kernel::SliceGroups (*)(const AxisGeometry&, const ConstArrayView&);

NdArray IntegerArray(const std::vector<int64_t>& numbers, const Shape& shape) {
  NdArray array(RuntimeDataType::kTypeInt64, shape);
  std::copy(numbers.begin(), numbers.end(), array.data<int64_t>());
  return array;
}

/// The slices at `positions` along the middle axis of a row-major array, as an array of shape `shape`.
NdArray TakeSlices(const NdArray& from, const AxisGeometry& geometry, const std::vector<int64_t>& positions,
                   const Shape& shape) {
  NdArray taken(from.type(), shape);
  const int64_t bytes = geometry.inner * static_cast<int64_t>(ElementBytes(from.type()));
  const auto count = static_cast<int64_t>(positions.size());
  const char* source = static_cast<const char*>(from.view().data);
  char* target = static_cast<char*>(taken.mutable_view().data);
  for (int64_t outer = 0; outer < geometry.outer; ++outer) {
    kernel::LookUpRows(positions.data(), count, source + outer * geometry.extent * bytes, geometry.extent, bytes,
                       target + outer * count * bytes);
  }
  return taken;
}

/// Plans the distinct elements, the index of each input element among them, and how often each occurs. Outputs that are
/// not wanted are empty.
OperationPlan PlanUniqueElements(const Arguments& arguments, GroupFunction group) {
  const NdArray input = arguments.Tensor("input").values().Contiguous();
  const AxisGeometry geometry{1, input.size(), 1};
  const kernel::SliceGroups groups = group(geometry, input.view());
  const auto count = static_cast<int64_t>(groups.first.size());
  const NdArray nothing(RuntimeDataType::kTypeInt64, {0});
  const bool counted = arguments.schema().Find("return_counts") >= 0 && arguments.Bool("return_counts");
  OperationPlan plan;
  plan.outputs = {
      OutputPlan::Known(TakeSlices(input, geometry, groups.first, {count})),
      OutputPlan::Known(arguments.Bool("return_inverse") ? IntegerArray(groups.group_of, input.shape()) : nothing),
      OutputPlan::Known(counted ? IntegerArray(groups.counts, {count}) : nothing)};
  return plan;
}

/// Plans the distinct slices along `dim`, the index of each input slice among them, and how often each occurs.
OperationPlan PlanUniqueSlices(const Arguments& arguments, GroupFunction group) {
  const NdArray input = arguments.Tensor("input").values().Contiguous();
  const int64_t axis = arguments.Axis("dim", input.rank());
  const AxisGeometry geometry = LineGeometry(input.shape(), axis);
  arguments.Require(geometry.extent == 0 || geometry.size() > 0, "input is " + ShapeString(input.shape()) +
                                                                     ", expected slices along axis " +
                                                                     std::to_string(axis) + " that are not empty");
  const kernel::SliceGroups groups = group(geometry, input.view());
  const auto count = static_cast<int64_t>(groups.first.size());
  Shape shape = input.shape();
  if (!shape.empty()) shape[static_cast<std::size_t>(axis)] = count;
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(TakeSlices(input, geometry, groups.first, shape)),
                  OutputPlan::Known(IntegerArray(groups.group_of, {geometry.extent})),
                  OutputPlan::Known(IntegerArray(groups.counts, {count}))};
  return plan;
}

/// Plans unique. PyTorch sorts on the CPU whether or not it is asked to.
OperationPlan PlanUnique(const Arguments& arguments) { return PlanUniqueElements(arguments, kernel::GroupSorted); }

OperationPlan PlanUniqueDim(const Arguments& arguments) { return PlanUniqueSlices(arguments, kernel::GroupSorted); }

OperationPlan PlanUniqueConsecutive(const Arguments& arguments) {
  return arguments.Has("dim") ? PlanUniqueSlices(arguments, kernel::GroupNeighbours)
                              : PlanUniqueElements(arguments, kernel::GroupNeighbours);
}

}  // namespace

void RegisterUnique(OperationTable& table) {
  const std::string input = "Tensor input|self, ";
  const std::string wanted = "bool return_inverse=False, bool return_counts=False";
  const auto add = [&](const char* type, const std::string& schema, const PlanFunction& plan) {
    table.Add({type}, input + schema, plan, InputLayout::kRowMajor, OperationKind::kDataDependent);
  };
  add("aten::_unique2", "bool sorted=True, " + wanted, PlanUnique);
  add("aten::_unique", "bool sorted=True, bool return_inverse=False", PlanUnique);
  add("aten::unique_dim", "int dim, bool sorted=True, " + wanted, PlanUniqueDim);
  add("aten::unique_dim_consecutive", "int dim, " + wanted, PlanUniqueConsecutive);
  add("aten::unique_consecutive", wanted + ", int? dim=None", PlanUniqueConsecutive);
}

}  // namespace kuiper_infer

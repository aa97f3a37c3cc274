// SPDX-License-Identifier: MIT
#include "kernel/sorting/sort.hpp"

#include <string>

#include "operation/operation.hpp"
#include "shape/axis_geometry.hpp"
#include "shape/reduction.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kPosition = RuntimeDataType::kTypeInt64;

/// Plans the first `count` elements along an axis, or all if it is negative, and their positions. Outputs that are not
/// wanted are left out.
OperationPlan PlanSorted(const Arguments& arguments, int64_t axis, bool descending, int64_t count, bool values,
                         bool positions) {
  const TensorArgument& input = arguments.Tensor("input");
  const AxisGeometry geometry = LineGeometry(input.spec.shape, axis);
  // An array of rank 0 stays one.
  const int64_t taken = count < 0 || input.spec.rank() == 0 ? geometry.extent : count;
  Shape shape = input.spec.shape;
  if (!shape.empty()) shape[axis] = taken;
  OperationPlan plan;
  if (values) plan.outputs.push_back(OutputPlan::New(input.spec.type, shape));
  if (positions) plan.outputs.push_back(OutputPlan::New(kPosition, shape));
  plan.workspace_bytes = ByteCount(kPosition, input.spec.shape);
  plan.run = [=, index = input.input](const RunContext& c) {
    kernel::SortAlong(descending, geometry, taken, c.inputs[index], reinterpret_cast<int64_t*>(c.workspace),
                      values ? c.outputs[0].data : nullptr,
                      positions ? c.outputs[values ? 1 : 0].as<int64_t>() : nullptr);
  };
  return plan;
}

int64_t LineAxis(const Arguments& arguments) { return arguments.Axis("dim", arguments.Tensor("input").spec.rank()); }

OperationPlan PlanSort(const Arguments& arguments) {
  return PlanSorted(arguments, LineAxis(arguments), arguments.Bool("descending"), -1, true, true);
}

OperationPlan PlanArgSort(const Arguments& arguments) {
  return PlanSorted(arguments, LineAxis(arguments), arguments.Bool("descending"), -1, false, true);
}

/// Plans the array sorted along the first axis.
OperationPlan PlanMsort(const Arguments& arguments) { return PlanSorted(arguments, 0, false, -1, true, false); }

OperationPlan PlanTopK(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  const int64_t axis = LineAxis(arguments);
  const int64_t k = arguments.Int("k");
  const int64_t extent = LineGeometry(shape, axis).extent;
  arguments.Require(k >= 0 && k <= extent, "k is " + std::to_string(k) + ", expected 0 to " + std::to_string(extent) +
                                               " for axis " + std::to_string(axis) + " of " + ShapeString(shape));
  return PlanSorted(arguments, axis, arguments.Bool("largest"), k, true, true);
}

/// Plans one element of each line and, unless only the value is wanted, its position.
OperationPlan PlanPicked(const Arguments& arguments, kernel::Rank rank, const Shape& lines, int64_t axis, int64_t k,
                         bool keep, bool positions) {
  const TensorArgument& input = arguments.Tensor("input");
  const AxisGeometry geometry = LineGeometry(lines, axis);
  arguments.Require(geometry.extent > 0 || geometry.size() != 0,
                    "input is " + ShapeString(input.spec.shape) + ", expected elements to choose from");
  const Shape shape = lines.empty() ? lines : ReducedShape(lines, {axis}, keep);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape), OutputPlan::New(kPosition, shape)};
  const int64_t sorting = ByteCount(kPosition, lines);
  plan.workspace_bytes = sorting + ByteCount(kPosition, shape);
  if (!positions) plan.outputs.pop_back();
  plan.run = [=, index = input.input](const RunContext& c) {
    auto* unwanted = reinterpret_cast<int64_t*>(c.workspace + sorting);
    kernel::PickAlong(rank, geometry, k, c.inputs[index], reinterpret_cast<int64_t*>(c.workspace), c.outputs[0].data,
                      positions ? c.outputs[1].as<int64_t>() : unwanted);
  };
  return plan;
}

OperationPlan PlanKthValue(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  const int64_t axis = LineAxis(arguments);
  const int64_t k = arguments.Int("k");
  const int64_t extent = LineGeometry(shape, axis).extent;
  arguments.Require(k >= 1 && k <= extent, "k is " + std::to_string(k) + ", expected 1 to " + std::to_string(extent));
  return PlanPicked(arguments, kernel::Rank::kSmallest, shape, axis, k - 1, arguments.Bool("keepdim"), true);
}

/// Plans the element of a rank along an axis, or of all elements.
template <kernel::Rank kRank>
OperationPlan PlanMedian(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  if (arguments.Has("dim")) {
    return PlanPicked(arguments, kRank, shape, LineAxis(arguments), 0, arguments.Bool("keepdim"), true);
  }
  return PlanPicked(arguments, kRank, {ElementCount(shape)}, 0, 0, false, false);
}

/// Whether one element is chosen of all, whose position is no output.
bool HasNoAxis(const Arguments& arguments) { return !arguments.Has("dim"); }

}  // namespace

void RegisterSort(OperationTable& table) {
  const OutputValues one_of_all = Preserves({"input"}, HasNoAxis);
  const std::string schema = "Tensor input|self, int dim=-1, bool descending=False";
  const std::string stable = "Tensor input|self, bool? stable, int dim, bool descending";
  // The form with `stable` has four inputs; sorting is stable in any case.
  table.Add({"torch.sort", "Tensor.sort", "aten::sort"}, schema, PlanSort);
  table.Add({"aten::sort"}, stable, PlanSort);
  table.Add({"torch.argsort", "Tensor.argsort", "aten::argsort"}, schema, PlanArgSort);
  table.Add({"aten::argsort"}, stable, PlanArgSort);
  table.Add({"torch.msort", "aten::msort"}, "Tensor input|self", PlanMsort, InputLayout::kRowMajor,
            Preserves({"input"}));
  table.Add({"torch.topk", "Tensor.topk", "aten::topk"},
            "Tensor input|self, int k, int dim=-1, bool largest=True, bool sorted=True", PlanTopK);
  table.Add({"torch.kthvalue", "aten::kthvalue"}, "Tensor input|self, int k, int dim=-1, bool keepdim=False",
            PlanKthValue);
  const std::string axis = "Tensor input|self, int? dim=None, bool keepdim=False";
  table.Add({"torch.median", "aten::median"}, axis, PlanMedian<kernel::Rank::kMedian>, InputLayout::kRowMajor,
            one_of_all);
  table.Add({"torch.nanmedian", "aten::nanmedian"}, axis, PlanMedian<kernel::Rank::kNanMedian>, InputLayout::kRowMajor,
            one_of_all);
  table.Add({"torch.mode", "aten::mode"}, "Tensor input|self, int? dim=-1, bool keepdim=False",
            PlanMedian<kernel::Rank::kMode>);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operators/movement/split_parts.hpp"

namespace kuiper_infer {
namespace {

/// Plans tensor_split along an axis: by the positions of the cuts, or by a number of parts. If the parts are not equal,
/// the first ones are larger by one element; if `equal`, they have to be.
OperationPlan PlanTensorSplitAt(const Arguments& arguments, int64_t axis, bool equal = false) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t extent = input.spec.shape[axis];
  std::vector<int64_t> bounds{0};
  const Value* given = arguments.Get("indices").known();
  if (given != nullptr && !given->IsNone() && !given->IsNumber()) {
    for (const int64_t index : arguments.Ints("indices")) {
      bounds.push_back(std::clamp<int64_t>(index < 0 ? index + extent : index, 0, extent));
    }
    bounds.push_back(extent);
    return PlanParts(input, axis, bounds);
  }
  const int64_t sections = arguments.Int(arguments.Has("sections") ? "sections" : "indices");
  arguments.Require(sections > 0, "sections is " + std::to_string(sections) + ", expected a positive number");
  RequireParts(arguments, sections);
  arguments.Require(
      !equal || extent % sections == 0,
      "an extent of " + std::to_string(extent) + " cannot be cut into " + std::to_string(sections) + " equal parts");
  for (int64_t i = 0; i < sections; ++i) {
    bounds.push_back(bounds.back() + extent / sections + (i < extent % sections ? 1 : 0));
  }
  return PlanParts(input, axis, bounds);
}

OperationPlan PlanTensorSplit(const Arguments& arguments) { return PlanTensorSplitAt(arguments, SplitAxis(arguments)); }

/// Plans torch.hsplit, vsplit and dsplit: along axis kAxis, hsplit of a vector along its only one.
template <int kAxis>
OperationPlan PlanAxisSplit(const Arguments& arguments) {
  const TensorSpec& spec = arguments.Tensor("input").spec;
  const int64_t axis = kAxis - (kAxis == 1 && spec.rank() == 1 ? 1 : 0);
  constexpr int kLeast[] = {2, 1, 3};  // vsplit, hsplit, dsplit
  arguments.Require(spec.rank() >= kLeast[kAxis], "input is " + ShapeString(spec.shape) + ", expected rank " +
                                                      std::to_string(kLeast[kAxis]) + " or more");
  return PlanTensorSplitAt(arguments, axis, true);
}

}  // namespace

void RegisterTensorSplit(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  const std::string parts = "int[]? indices|indices_or_sections|tensor_indices_or_sections=None, int? sections=None";
  table.Add({"torch.tensor_split", "Tensor.tensor_split"}, "Tensor input|self, int dim=0, " + parts, PlanTensorSplit,
            strided, moved);
  table.Add({"aten::tensor_split"}, "Tensor input|self, int[] indices|sections|tensor_indices_or_sections, int dim=0",
            PlanTensorSplit, strided, moved);
  table.Add({"torch.hsplit", "aten::hsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<1>, strided, moved);
  table.Add({"torch.vsplit", "aten::vsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<0>, strided, moved);
  table.Add({"torch.dsplit", "aten::dsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<2>, strided, moved);
}

}  // namespace kuiper_infer

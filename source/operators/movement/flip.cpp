// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "operation/parameters.hpp"
#include "operation/strided_copy.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanFlipped(const TensorArgument& input, const std::vector<int64_t>& axes) {
  StridedView view(input.spec);
  for (const int64_t axis : axes) view = FlipAxis(view, axis);
  return PlanCopy(input, view, view.shape);
}

OperationPlan PlanFlip(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  // Arguments::Axes would take an empty list as all axes.
  if (IntsOrEmpty(arguments, "dims").empty()) return PlanFlipped(input, {});
  return PlanFlipped(input, arguments.Axes("dims", input.spec.rank()));
}

/// Plans torch.flipud (0) and torch.fliplr (1).
template <int kAxis>
OperationPlan PlanFlipAxis(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() > kAxis, "input is " + ShapeString(input.spec.shape) + ", expected rank " +
                                                   std::to_string(kAxis + 1) + " or more");
  return PlanFlipped(input, {kAxis});
}

/// Plans quarter turns in the plane of two axes, from the first towards the second.
OperationPlan PlanRot90(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const std::vector<int64_t> axes = arguments.Axes("dims", input.spec.rank());
  arguments.Require(axes.size() == 2 && input.spec.rank() >= 2,
                    "the plane has " + std::to_string(axes.size()) + " axes, expected 2");
  const int64_t turns = ((arguments.Int("k") % 4) + 4) % 4;
  StridedView view(input.spec);
  if (turns == 1 || turns == 2) view = FlipAxis(view, axes[1]);
  if (turns == 2 || turns == 3) view = FlipAxis(view, axes[0]);
  if (turns % 2 == 1) {
    std::swap(view.shape[axes[0]], view.shape[axes[1]]);
    std::swap(view.strides[axes[0]], view.strides[axes[1]]);
  }
  return PlanCopy(input, view, view.shape);
}

/// Two views, one of the source and one of the result, of equal shape.
using Part = std::pair<StridedView, StridedView>;

/// Cuts each part in the two that rolling along the axis tears apart; `forward` is above 0.
std::vector<Part> RollParts(const std::vector<Part>& parts, int64_t axis, int64_t forward) {
  std::vector<Part> rolled;
  for (const auto& [from, to] : parts) {
    const int64_t extent = from.shape[axis];
    rolled.emplace_back(SliceAxis(from, axis, 0, extent - forward, 1), SliceAxis(to, axis, forward, extent, 1));
    rolled.emplace_back(SliceAxis(from, axis, extent - forward, extent, 1), SliceAxis(to, axis, 0, forward, 1));
  }
  return rolled;
}

/// The shift of each axis from 0 to its extent - 1. The shifts of an axis that is named several times add up.
std::vector<int64_t> ShiftsOfAxes(const Arguments& arguments, const std::vector<int64_t>& axes,
                                  const std::vector<int64_t>& shifts, const Shape& shape) {
  arguments.Require(shifts.size() == axes.size(), "found " + std::to_string(shifts.size()) + " shifts for " +
                                                      std::to_string(axes.size()) + " axes, expected equal numbers");
  const auto rank = static_cast<int64_t>(shape.size());
  std::vector<int64_t> forward(shape.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = CheckedAxis(arguments, "dims", axes[i], rank);
    const int64_t extent = shape[axis];
    if (extent > 0) forward[axis] = (forward[axis] + shifts[i] % extent + extent) % extent;
  }
  return forward;
}

/// Plans torch.roll: elements pushed over the end of an axis come back at its start; without axes the flattened array
/// is rolled.
OperationPlan PlanRoll(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const std::vector<int64_t> shifts = arguments.Ints("shifts");
  std::vector<int64_t> axes = IntsOrEmpty(arguments, "dims");
  TensorSpec spec(input.spec.type, input.spec.shape);
  if (axes.empty() || spec.rank() == 0) {
    spec = TensorSpec(spec.type, {spec.size()});
    axes = {0};
  }
  const std::vector<int64_t> forward = ShiftsOfAxes(arguments, axes, shifts, spec.shape);
  std::vector<Part> parts{{StridedView(spec), StridedView(spec)}};
  for (int64_t axis = 0; axis < spec.rank(); ++axis) {
    if (forward[axis] > 0) parts = RollParts(parts, axis, forward[axis]);
  }
  std::vector<StridedCopy> copies;
  for (const auto& [from, to] : parts) copies.emplace_back(input, from, to);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, input.spec.shape)};
  plan.run = [copies](const RunContext& c) {
    for (const StridedCopy& copy : copies) copy.Run(c);
  };
  return plan;
}

}  // namespace

void RegisterFlip(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.flip", "Tensor.flip", "aten::flip"}, "Tensor input|self, int[]? dims=None", PlanFlip, strided,
            moved);
  table.Add({"torch.flipud", "aten::flipud"}, "Tensor input|self", PlanFlipAxis<0>, strided, moved);
  table.Add({"torch.fliplr", "aten::fliplr"}, "Tensor input|self", PlanFlipAxis<1>, strided, moved);
  table.Add({"torch.rot90", "aten::rot90"}, "Tensor input|self, int k=1, int[] dims=[0,1]", PlanRot90, strided, moved);
  table.Add({"torch.roll", "Tensor.roll", "aten::roll"}, "Tensor input|self, int[] shifts, int[]? dims=None", PlanRoll,
            InputLayout::kRowMajor, moved);
}

}  // namespace kuiper_infer

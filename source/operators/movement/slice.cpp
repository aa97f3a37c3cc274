// SPDX-License-Identifier: MIT
#include "operators/movement/slice.hpp"

#include <string>

#include "operation/parameters.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

/// The number that the format writes for "no index" and "to the end".
constexpr int64_t kNone = 2147483647;

/// The view by several entries, each of which slices the result of the entries before it. An entry with an index in
/// `selects` drops its axis. The converter adds to each dimension the number of axes that were dropped before. A
/// dimension that counts from the front is therefore an axis of the input, and one that counts from the end may no
/// longer be negative.
StridedView SliceAxes(const Arguments& arguments, StridedView view) {
  const std::vector<int64_t> dims = IntsOrEmpty(arguments, "dims");
  const auto read = [&](const char* name, int64_t otherwise) {
    std::vector<int64_t> numbers = IntsOrEmpty(arguments, name);
    if (numbers.empty()) numbers.assign(dims.size(), otherwise);
    if (numbers.size() != dims.size()) {
      arguments.Fail(ErrorCode::kArgument,
                     std::string("argument '") + name + "' holds " + std::to_string(numbers.size()) +
                         " numbers, expected one for each of the " + std::to_string(dims.size()) + " axes in dims");
    }
    return numbers;
  };
  const std::vector<int64_t> starts = read("starts", 0);
  const std::vector<int64_t> ends = read("ends", kNone);
  const std::vector<int64_t> steps = read("steps", 1);
  const std::vector<int64_t> selects = read("selects", kNone);
  int64_t dropped = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int64_t rank = view.rank();
    if (dims[i] < dropped - rank || dims[i] >= dropped + rank) {
      arguments.Fail(ErrorCode::kArgument, "argument 'dims' holds " + std::to_string(dims[i]) + " at entry " +
                                               std::to_string(i) + ", expected " + std::to_string(dropped - rank) +
                                               " to " + std::to_string(dropped + rank - 1));
    }
    const int64_t axis = dims[i] - dropped + (dims[i] < dropped ? rank : 0);
    if (selects[i] == kNone) {
      view = SliceAxis(view, axis, starts[i], ends[i], steps[i]);
    } else {
      view = SelectAxis(view, axis, selects[i]);
      ++dropped;
    }
  }
  return view;
}

}  // namespace

StridedView ReadSlice(const Arguments& arguments, const TensorSpec& spec) {
  arguments.Require(spec.rank() > 0, "input is (), expected rank 1 or more");
  const StridedView view(spec);
  if (arguments.Has("dims")) return SliceAxes(arguments, view);
  const int64_t axis = arguments.Axis("dim", spec.rank());
  if (arguments.Has("select")) return SelectAxis(view, axis, arguments.Int("select"));
  return SliceAxis(view, axis, OptionalInt(arguments, "start"), OptionalInt(arguments, "end"),
                   OptionalInt(arguments, "step").value_or(1));
}

namespace {

OperationPlan PlanSlice(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  return PlanView(input, ReadSlice(arguments, input.spec));
}

OperationPlan PlanSelect(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() > 0, "input is (), expected rank 1 or more");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  return PlanView(input, SelectAxis(StridedView(input.spec), axis, arguments.Int("index")));
}

OperationPlan PlanNarrow(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() > 0, "input is (), expected rank 1 or more");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  const int64_t extent = input.spec.shape[axis];
  const int64_t given = arguments.Int("start");
  const int64_t start = given < 0 ? given + extent : given;
  const int64_t length = arguments.Int("length");
  arguments.Require(start >= 0 && start <= extent && length >= 0 && length <= extent - start,
                    "start " + std::to_string(given) + " and length " + std::to_string(length) + " don't fit axis " +
                        std::to_string(axis) + " of " + ShapeString(input.spec.shape));
  return PlanView(input, SliceAxis(StridedView(input.spec), axis, start, start + length, 1));
}

}  // namespace

void RegisterSlice(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  const std::string one_axis(kSliceOneAxis);
  const std::string many_axes(kSliceManyAxes);
  table.Add({"Tensor.slice"}, "Tensor input|self, int dim=0, " + one_axis + ", " + many_axes, PlanSlice, strided,
            moved);
  table.Add({"aten::slice", "aten::slice_copy"}, "Tensor input|self, int dim=0, " + one_axis, PlanSlice, strided,
            moved);
  table.Add({"Tensor.select", "torch.select", "aten::select", "aten::select_copy"},
            "Tensor input|self, int dim, int index", PlanSelect, strided, moved);
  table.Add({"torch.narrow", "Tensor.narrow", "aten::narrow", "aten::narrow_copy"},
            "Tensor input|self, int dim, int start, int length", PlanNarrow, strided, moved);
}

}  // namespace kuiper_infer

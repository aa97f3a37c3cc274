// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operation/strided_copy.hpp"
#include "operation/views.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// Plans every axis repeated as a whole: one copy from a view in which each axis has an axis of stride 0 before it.
OperationPlan PlanRepetition(const Arguments& arguments, std::vector<int64_t> times) {
  const TensorArgument& input = arguments.Tensor("input");
  StridedView view(input.spec);
  while (view.shape.size() < times.size()) view = InsertAxis(view, 0);
  const Shape once = view.shape;
  Shape shape;
  for (std::size_t i = 0; i < once.size(); ++i) {
    arguments.Require(times[i] >= 0, "repeats are " + NumbersString(times) + ", expected no negative ones");
    const int64_t axis = static_cast<int64_t>(2 * i);
    view = InsertAxis(view, axis, times[i]);
    shape.push_back(ElementCount({once[i], times[i]}));
  }
  return PlanCopy(input, view, shape);
}

OperationPlan PlanRepeat(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  const std::vector<int64_t> times = IntsOrEmpty(arguments, "sizes");
  arguments.Require(times.size() >= shape.size(), "found " + std::to_string(times.size()) + " repeats for " +
                                                      ShapeString(shape) + ", expected one for each axis or more");
  return PlanRepetition(arguments, times);
}

/// Plans tile, which is repeat but that a shorter list counts for the last axes.
OperationPlan PlanTile(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  std::vector<int64_t> times = IntsOrEmpty(arguments, "dims");
  if (times.size() < shape.size()) times.insert(times.begin(), shape.size() - times.size(), 1);
  return PlanRepetition(arguments, times);
}

/// Reads how often each element occurs: a list, or one number for all of them.
std::vector<int64_t> ReadRepeats(const Arguments& arguments, const char* name, int64_t extent) {
  const std::vector<int64_t> repeats = arguments.Ints(name);
  arguments.Require(repeats.size() == 1 || static_cast<int64_t>(repeats.size()) == extent,
                    "found " + std::to_string(repeats.size()) + " repeats, expected 1 or " + std::to_string(extent));
  for (const int64_t count : repeats) {
    arguments.Require(count >= 0, "repeats hold " + std::to_string(count) + ", expected no negative ones");
  }
  return repeats;
}

/// Plans every element repeated in place, along one axis or, without one, of the flattened array.
OperationPlan PlanRepeatInterleave(const Arguments& arguments) {
  const TensorArgument& given = arguments.Tensor("input");
  TensorArgument input = given;
  if (!arguments.Has("dim")) input.spec = TensorSpec(given.spec.type, {given.spec.size()});
  if (input.spec.rank() == 0) input.spec = TensorSpec(given.spec.type, {1});
  const int64_t axis = arguments.Has("dim") ? arguments.Axis("dim", input.spec.rank()) : 0;
  const int64_t extent = input.spec.shape[axis];
  const std::vector<int64_t> repeats = ReadRepeats(arguments, "repeats", extent);
  StridedView view(input.spec);
  Shape shape = input.spec.shape;
  if (std::adjacent_find(repeats.begin(), repeats.end(), std::not_equal_to<>()) == repeats.end()) {
    const int64_t times = repeats.empty() ? 1 : repeats.front();
    shape[axis] = ElementCount({extent, times});
    return PlanCopy(input, InsertAxis(view, axis + 1, times), shape);
  }
  shape[axis] = 0;
  for (const int64_t count : repeats) {
    arguments.Require(!__builtin_add_overflow(shape[axis], count, &shape[axis]), "the repeats' sum exceeds 64 bits");
  }
  const TensorSpec out(input.spec.type, shape);
  std::vector<StridedCopy> copies;
  int64_t position = 0;
  for (int64_t i = 0; i < extent; ++i) {
    const int64_t next = position + repeats[i];
    copies.emplace_back(input, SliceAxis(view, axis, i, i + 1, 1),
                        SliceAxis(StridedView(out), axis, position, next, 1));
    position = next;
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [copies](const RunContext& c) {
    for (const StridedCopy& copy : copies) copy.Run(c);
  };
  return plan;
}

/// Plans a vector that holds each position as often as `repeats` says there, in the type of these.
OperationPlan PlanRepeatPositions(const Arguments& arguments) {
  const TensorArgument& repeats = arguments.Tensor("repeats");
  const RuntimeDataType type = repeats.spec.type;
  arguments.Require(type == RuntimeDataType::kTypeInt32 || type == RuntimeDataType::kTypeInt64,
                    std::string("repeats are ") + TypeName(type) + ", expected int32 or int64");
  if (!repeats.is_constant()) {
    OperationPlan plan;
    plan.data_dependent = true;
    return plan;
  }
  const NdArray counts = repeats.values().To(RuntimeDataType::kTypeInt64).Contiguous();
  const auto* first = counts.data<int64_t>();
  const std::vector<int64_t> times(first, first + counts.size());
  Composition composition(arguments);
  const TensorArgument positions = composition.Call("torch.arange", {{"end", counts.size()}});
  const TensorArgument result =
      composition.Call("torch.repeat_interleave", {{"input", positions}, {"repeats", times}, {"dim", 0}});
  return composition.Finish({composition.Convert(result, type)});
}

}  // namespace

void RegisterRepeat(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"Tensor.repeat", "aten::repeat"}, "Tensor input|self, int[]? sizes|repeats=None", PlanRepeat, strided,
            moved);
  table.Add({"torch.tile", "Tensor.tile", "aten::tile"}, "Tensor input|self, int[]? dims=None", PlanTile, strided,
            moved);
  table.Add({"torch.repeat_interleave", "Tensor.repeat_interleave", "aten::repeat_interleave"},
            "Tensor input|self, int[] repeats, int? dim=None, int? output_size=None", PlanRepeatInterleave,
            InputLayout::kRowMajor, moved);
  table.Add({"torch.repeat_interleave", "aten::repeat_interleave"}, "Tensor repeats, int? output_size=None",
            PlanRepeatPositions);
}

}  // namespace kuiper_infer

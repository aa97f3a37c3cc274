// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

/// Plans the array cut along an axis at the given positions, each part a view.
OperationPlan PlanParts(const TensorArgument& input, int64_t axis, const std::vector<int64_t>& bounds) {
  std::vector<StridedView> parts;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    parts.push_back(SliceAxis(StridedView(input.spec), axis, bounds[i], std::max(bounds[i], bounds[i + 1]), 1));
  }
  return PlanViews(input, parts);
}

/// Fails for more parts than a list may hold, before they are made.
void RequireParts(const Arguments& arguments, int64_t count) {
  constexpr int64_t kMost = 1 << 16;
  arguments.Require(count <= kMost,
                    "there would be " + std::to_string(count) + " parts, expected at most " + std::to_string(kMost));
}

/// The cuts 0, size, 2 * size, ... up to the extent.
std::vector<int64_t> EqualBounds(const Arguments& arguments, int64_t extent, int64_t size) {
  RequireParts(arguments, extent > 0 ? (extent - 1) / size + 1 : 1);
  std::vector<int64_t> bounds{0};
  do {
    bounds.push_back(bounds.back() + std::min(size, extent - bounds.back()));
  } while (bounds.back() < extent);
  return bounds;
}

/// The argument "input" and the axis of an array that can be cut.
int64_t SplitAxis(const Arguments& arguments) {
  const TensorSpec& spec = arguments.Tensor("input").spec;
  arguments.Require(spec.rank() > 0, "input is (), expected rank 1 or more");
  return arguments.Axis("dim", spec.rank());
}

/// Plans split. An int is the parts' extent (the last may be smaller), a list holds one extent for each, None (from
/// ONNX files) stands for as many equal parts as there are outputs.
OperationPlan PlanSplit(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = SplitAxis(arguments);
  const int64_t extent = input.spec.shape[axis];
  const char* name = "split_size_or_sections";
  const Value* given = arguments.Get(name).known();
  if (given == nullptr || given->IsNone()) {
    return PlanParts(
        input, axis,
        EqualBounds(arguments, extent, std::max<int64_t>(1, (extent - 1) / std::max(arguments.output_count(), 1) + 1)));
  }
  if (!given->Is<Value::List>()) {
    const int64_t size = arguments.Int(name);
    arguments.Require(size > 0 || (size == 0 && extent == 0),
                      "split size is " + std::to_string(size) + ", expected a positive one");
    return PlanParts(input, axis, EqualBounds(arguments, extent, size));
  }
  std::vector<int64_t> bounds{0};
  for (const int64_t size : arguments.Ints(name)) {
    arguments.Require(size >= 0 && size <= extent - bounds.back(),
                      "the split sizes " + ValueString(*given) + " don't fit the extent " + std::to_string(extent));
    bounds.push_back(bounds.back() + size);
  }
  arguments.Require(bounds.back() == extent, "the split sizes " + ValueString(*given) + " sum up to " +
                                                 std::to_string(bounds.back()) + ", expected " +
                                                 std::to_string(extent));
  return PlanParts(input, axis, bounds);
}

/// Plans parts of ceil(extent / chunks); they may be fewer than asked for.
OperationPlan PlanChunk(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = SplitAxis(arguments);
  const int64_t chunks = arguments.Int("chunks");
  arguments.Require(chunks > 0, "chunks is " + std::to_string(chunks) + ", expected a positive number");
  const int64_t extent = input.spec.shape[axis];
  if (extent == 0) {
    const auto bounds = static_cast<std::size_t>(std::min<int64_t>(chunks, 1024)) + 1;
    return PlanParts(input, axis, std::vector<int64_t>(bounds, 0));
  }
  return PlanParts(input, axis, EqualBounds(arguments, extent, (extent - 1) / chunks + 1));
}

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

OperationPlan PlanUnbind(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = SplitAxis(arguments);
  RequireParts(arguments, input.spec.shape[axis]);
  // Files record no shape for a list and none for an array of rank 0. If the shape is missing, the only element of a
  // vector is taken for an array of rank 0.
  const bool element = input.spec.rank() == 1 && input.spec.shape[0] == 1 && arguments.output_count() == 1;
  if (element) return PlanView(input, SelectAxis(StridedView(input.spec), axis, 0));
  std::vector<StridedView> views;
  for (int64_t i = 0; i < input.spec.shape[axis]; ++i) views.push_back(SelectAxis(StridedView(input.spec), axis, i));
  return PlanViews(input, views);
}

}  // namespace

void RegisterSplit(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"torch.split", "Tensor.split", "aten::split", "aten::unsafe_split", "aten::split_with_sizes",
             "aten::split_copy", "aten::split_with_sizes_copy", "aten::unsafe_split_with_sizes"},
            "Tensor input|tensor|self, int[]? split_size_or_sections|split_size|split_sizes=None, int dim=0", PlanSplit,
            strided, moved);
  table.Add({"torch.chunk", "Tensor.chunk", "aten::chunk", "aten::unsafe_chunk"},
            "Tensor input|self, int chunks, int dim=0", PlanChunk, strided, moved);
  const std::string parts = "int[]? indices|indices_or_sections|tensor_indices_or_sections=None, int? sections=None";
  table.Add({"torch.tensor_split", "Tensor.tensor_split"}, "Tensor input|self, int dim=0, " + parts, PlanTensorSplit,
            strided, moved);
  table.Add({"aten::tensor_split"}, "Tensor input|self, int[] indices|sections|tensor_indices_or_sections, int dim=0",
            PlanTensorSplit, strided, moved);
  table.Add({"torch.hsplit", "aten::hsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<1>, strided, moved);
  table.Add({"torch.vsplit", "aten::vsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<0>, strided, moved);
  table.Add({"torch.dsplit", "aten::dsplit"}, "Tensor input|self, " + parts, PlanAxisSplit<2>, strided, moved);
  table.Add({"torch.unbind", "Tensor.unbind", "aten::unbind", "aten::unbind_copy"}, "Tensor input|self, int dim=0",
            PlanUnbind, strided, moved);
}

}  // namespace kuiper_infer

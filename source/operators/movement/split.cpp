// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operators/movement/split_parts.hpp"

namespace kuiper_infer {
namespace {

/// The cuts 0, size, 2 * size, ... up to the extent.
std::vector<int64_t> EqualBounds(const Arguments& arguments, int64_t extent, int64_t size) {
  RequireParts(arguments, extent > 0 ? (extent - 1) / size + 1 : 1);
  std::vector<int64_t> bounds{0};
  do {
    bounds.push_back(bounds.back() + std::min(size, extent - bounds.back()));
  } while (bounds.back() < extent);
  return bounds;
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
  table.Add({"torch.unbind", "Tensor.unbind", "aten::unbind", "aten::unbind_copy"}, "Tensor input|self, int dim=0",
            PlanUnbind, strided, moved);
}

}  // namespace kuiper_infer

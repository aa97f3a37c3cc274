// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {
namespace {

constexpr char kNoSelect[] = "2147483647";  // what the format writes in `selects` for a slice

struct SliceEntry {
  int64_t dim = 0;
  bool selects = false;
  std::optional<int64_t> start, end, step;  ///< absent if the model computes them
};

const pnnx::Operand* NamedInput(const pnnx::Operator& op, const std::string& name) {
  for (std::size_t i = 0; i < op.inputs.size() && i < op.inputnames.size(); ++i) {
    if (op.inputnames[i] == name) return op.inputs[i];
  }
  return nullptr;
}

/// The list `name`, which is a parameter of the operator or of the helper that makes the input of this name; or null.
pnnx::Parameter* FindList(pnnx::Operator& op, const std::string& name) {
  const auto own = op.params.find(name);
  if (own != op.params.end()) return &own->second;
  const pnnx::Operand* input = NamedInput(op, name);
  if (input == nullptr || input->producer == nullptr || input->producer->type != "pnnx.SliceIndexes") return nullptr;
  const auto indexes = input->producer->params.find("indexes");
  return indexes == input->producer->params.end() ? nullptr : &indexes->second;
}

std::vector<std::string> ItemsOf(pnnx::Operator& op, const std::string& name) {
  const pnnx::Parameter* list = FindList(op, name);
  return list == nullptr ? std::vector<std::string>() : ListItems(*list);
}

/// The number that a text writes; nothing for "@0".
std::optional<int64_t> Number(const std::string& text) {
  if (text.empty() || text.front() == '@') return std::nullopt;
  return std::strtoll(text.c_str(), nullptr, 10);
}

/// Reads the entries of a slice. Returns nothing if the lists have different lengths, which the operation reports.
std::vector<SliceEntry> ReadEntries(pnnx::Operator& op) {
  const std::vector<std::string> dims = ItemsOf(op, "dims");
  const std::vector<std::string> selects = ItemsOf(op, "selects");
  const std::vector<std::string> starts = ItemsOf(op, "starts");
  const std::vector<std::string> ends = ItemsOf(op, "ends");
  const std::vector<std::string> steps = ItemsOf(op, "steps");
  for (const auto* list : {&selects, &starts, &ends, &steps}) {
    if (list->size() != dims.size()) return {};
  }
  std::vector<SliceEntry> entries(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    entries[i] = {Number(dims[i]).value_or(0), selects[i] != kNoSelect, Number(starts[i]), Number(ends[i]),
                  Number(steps[i])};
  }
  return entries;
}

int64_t SlicedExtent(int64_t extent, const SliceEntry& entry) {
  if (extent == kUnknownExtent || !entry.start || !entry.end || entry.step.value_or(0) == 0) return kUnknownExtent;
  const StridedView view(TensorSpec(RuntimeDataType::kTypeFloat32, {extent}));
  return SliceAxis(view, 0, entry.start, entry.end, *entry.step).shape[0];
}

/// The shape of the elements that the entries choose; nothing if a dimension does not exist.
std::optional<Shape> ChosenShape(const std::vector<SliceEntry>& entries, Shape shape, bool counts_dropped) {
  int64_t dropped = 0;
  for (const SliceEntry& entry : entries) {
    const auto rank = static_cast<int64_t>(shape.size());
    const int64_t dim = entry.dim - (counts_dropped ? dropped : 0);
    if (dim < -rank || dim >= rank) return std::nullopt;
    const auto axis = shape.begin() + (dim < 0 ? dim + rank : dim);
    if (entry.selects) {
      shape.erase(axis);
      ++dropped;
    } else {
      *axis = SlicedExtent(*axis, entry);
    }
  }
  return shape;
}

/// Whether an array of shape `recorded` has the shape of the chosen part or, if it is `copied` there, can be broadcast
/// to it.
bool Agrees(const std::optional<Shape>& chosen, const Shape& recorded, bool copied) {
  if (!chosen || recorded.size() > chosen->size() || (!copied && recorded.size() < chosen->size())) return false;
  return std::equal(recorded.rbegin(), recorded.rend(), chosen->rbegin(), [copied](int64_t extent, int64_t wanted) {
    return SameExtent(extent, wanted) || (copied && extent == 1);
  });
}

void AddMissingSelect(pnnx::Operator& op) {
  pnnx::Parameter* selects = FindList(op, "selects");
  if (selects == nullptr || op.params.count("selects") != 0) return;
  std::vector<std::string> items = ListItems(*selects);
  if (items.size() + 1 != ItemsOf(op, "dims").size()) return;
  items.emplace_back(kNoSelect);
  *selects = items;
}

}  // namespace

void RepairSliceDims(pnnx::Operator& op) {
  const bool copied = op.type == "Tensor.slice_copy";
  if ((!copied && op.type != "Tensor.slice") || op.params.count("dims") == 0) return;
  if (op.inputs.empty() || op.outputs.empty()) return;
  AddMissingSelect(op);
  const pnnx::Operand* input = op.inputs.front();
  const pnnx::Operand* part = copied ? NamedInput(op, "src") : op.outputs.front();
  if (input == nullptr || part == nullptr || !input->has_shape || !part->has_shape) return;
  const std::vector<SliceEntry> entries = ReadEntries(op);
  const auto first = std::find_if(entries.begin(), entries.end(), [](const SliceEntry& e) { return e.selects; });
  if (first == entries.end() || first + 1 == entries.end()) return;  // both ways are the same

  const Shape recorded = RecordedShape(*part);
  if (Agrees(ChosenShape(entries, RecordedShape(*input), true), recorded, copied)) return;
  if (!Agrees(ChosenShape(entries, RecordedShape(*input), false), recorded, copied)) {
    throw Error(ErrorCode::kGraph,
                "operator '" + op.name + "' (" + op.type + "): dims=" + op.params["dims"].encode_to_string() + " of " +
                    ShapeString(RecordedShape(*input)) + " don't give the recorded shape " + ShapeString(recorded));
  }
  std::vector<int> dims;
  int dropped = 0;
  for (const SliceEntry& entry : entries) {
    dims.push_back(static_cast<int>(entry.dim) + dropped);
    dropped += entry.selects ? 1 : 0;
  }
  op.params["dims"] = dims;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "layer/details/index_text.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

/// One entry of the list behind x[...]; None has no elements.
struct IndexEntry {
  bool none = false;
  bool list = false;  ///< [2], not 2
  bool mask = false;
  std::vector<int64_t> elements;  ///< of a mask: one for each that is true

  int64_t count() const { return static_cast<int64_t>(elements.size()); }
};

/// False where the entry is none of those that the converter writes flat.
bool ReadEntry(const Value& value, IndexEntry& entry) {
  entry.none = value.IsNone();
  entry.list = value.Is<Value::List>();
  if (entry.none) return true;
  for (const Value& item : entry.list ? value.Get<Value::List>() : Value::List{value}) {
    if (item.Is<bool>()) {
      entry.mask = true;
      if (item.Get<bool>()) entry.elements.push_back(1);
    } else if (item.Is<int64_t>()) {
      entry.elements.push_back(item.Get<int64_t>());
    } else {
      return false;
    }
  }
  return true;
}

/// Empty where the text cannot be read: the operation reports that.
std::vector<IndexEntry> ReadEntries(const std::string& text) {
  try {
    const Value value = ParseIndexText(text);
    if (!value.Is<Value::List>()) return {};
    std::vector<IndexEntry> entries;
    for (const Value& item : value.Get<Value::List>()) {
      if (!ReadEntry(item, entries.emplace_back())) return {};
    }
    return entries;
  } catch (const Error&) {
    return {};
  }
}

/// The common shape of the index arrays, as the shapes of input and result have it; nothing where these don't tell.
std::optional<Shape> CommonShape(const std::vector<IndexEntry>& entries, const Shape& input, const Shape& result) {
  const auto indexes = [](const IndexEntry& entry) { return !entry.none; };
  const auto taken = std::count_if(entries.begin(), entries.end(), indexes);
  const auto rank = static_cast<int64_t>(result.size()) - (static_cast<int64_t>(input.size()) - taken);
  if (taken == 0 || entries.size() > input.size() || rank < 0) return std::nullopt;
  const auto first = std::find_if(entries.begin(), entries.end(), indexes);
  const bool together = std::all_of(first, first + taken, indexes);
  const auto begin = result.begin() + (together ? first - entries.begin() : 0);
  if (result.end() - begin < rank) return std::nullopt;
  return Shape(begin, begin + rank);
}

/// The entry with its elements along the first of `rank` axes: [[2],[1]] for rank 2.
std::string EntryText(const IndexEntry& entry, int64_t rank) {
  if (entry.none) return "None";
  std::string text;
  for (const int64_t element : entry.elements) {
    text += (text.empty() ? "" : ",") + std::string(static_cast<std::size_t>(rank - 1), '[') + std::to_string(element) +
            std::string(static_cast<std::size_t>(rank - 1), ']');
  }
  return "[" + text + "]";
}

}  // namespace

void RepairIndexShape(pnnx::Operator& op) {
  const auto expression = op.params.find("expr");
  if (op.type != "Tensor.index" || expression == op.params.end() || op.inputs.size() != 1 || op.outputs.size() != 1) {
    return;
  }
  if (op.inputs[0] == nullptr || !op.inputs[0]->has_shape || !op.outputs[0]->has_shape) return;
  const std::vector<IndexEntry> entries = ReadEntries(expression->second.encode_to_string());
  const std::optional<Shape> common = CommonShape(entries, RecordedShape(*op.inputs[0]), RecordedShape(*op.outputs[0]));
  if (!common) return;
  const auto rank = static_cast<int64_t>(common->size());

  int64_t longest = 1;
  bool list = false;
  bool mask = false;
  for (const IndexEntry& entry : entries) {
    if (!entry.none && entry.count() != 1) longest = entry.count();
    list = list || entry.list;
    mask = mask || entry.mask;
  }
  Shape written;
  if (list) written.push_back(longest);
  if (SameShape(written, *common)) return;
  // Of an index of several axes the file holds as many elements as the first axis has.
  const bool whole = !mask && rank > 0 && SameExtent(common->front(), longest) &&
                     std::all_of(common->begin() + 1, common->end(), [](int64_t extent) { return extent == 1; });
  if (!whole && longest == 1) return;  // repeated like a number; planning warns that the shapes differ
  if (!whole) {
    throw Error(ErrorCode::kGraph,
                "operator '" + op.name + "' (Tensor.index): expr=" + expression->second.encode_to_string() +
                    " gives indices of shape " + ShapeString(written) + ", the recorded result has them as " +
                    ShapeString(*common) + ": the converter left elements out");
  }
  std::string text;
  for (const IndexEntry& entry : entries) text += (text.empty() ? "[" : ",") + EntryText(entry, rank);
  expression->second = pnnx::Parameter(text + "]");
}

}  // namespace kuiper_infer

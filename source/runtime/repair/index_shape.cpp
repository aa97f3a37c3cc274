// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <optional>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/repair/index_entry.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

/// The most elements and brackets of a range that is written out: a broken file may record any extent.
constexpr int64_t kLongestRange = int64_t{1} << 18;

/// Completes entries of which the file holds only the first element, because the first extent of their arrays is 1. The
/// masks of transformers are made by mask[arange(B)[:, None, None, None], arange(K)[None, None, None, :]], which the
/// converter writes as [[0,1],[0]] for B = 2. An entry [0] is taken for arange(K) along the axis of extent K of the
/// common shape if it would index all K elements of its axis of the input, and no other entry would. Returns a text
/// that says how the entries are read. If that does not explain every axis after the first, the text is empty, and the
/// entries are unchanged.
std::string CompleteRanges(std::vector<IndexEntry>& entries, const Shape& input, const Shape& common) {
  std::vector<IndexEntry> completed = entries;
  std::string reading;
  for (std::size_t axis = 1; axis < common.size(); ++axis) {
    const int64_t extent = common[axis];
    if (extent == 1) continue;
    if (extent < 1 || extent * static_cast<int64_t>(common.size() - axis) > kLongestRange) return "";
    std::optional<std::size_t> range;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool first_only = entries[i].list && entries[i].elements == std::vector<int64_t>{0};
      if (!first_only || input[i] != extent) continue;
      if (range) return "";
      range = i;
    }
    if (!range || completed[*range].axis != 0) return "";
    IndexEntry& entry = completed[*range];
    entry.axis = static_cast<int64_t>(axis);
    entry.elements.resize(static_cast<std::size_t>(extent));
    std::iota(entry.elements.begin(), entry.elements.end(), 0);
    reading +=
        (reading.empty() ? "" : ", index ") + std::to_string(*range) + " = arange(" + std::to_string(extent) + ")";
  }
  entries = std::move(completed);
  return reading;
}

}  // namespace

void RepairIndexShape(pnnx::Operator& op, std::vector<std::string>& warnings) {
  const auto expression = op.params.find("expr");
  if (op.type != "Tensor.index" || expression == op.params.end() || op.inputs.size() != 1 || op.outputs.size() != 1) {
    return;
  }
  if (op.inputs[0] == nullptr || !op.inputs[0]->has_shape || !op.outputs[0]->has_shape) return;
  const std::string written_text = expression->second.encode_to_string();
  std::vector<IndexEntry> entries = ReadEntries(written_text);
  const Shape input = RecordedShape(*op.inputs[0]);
  const std::optional<Shape> common = CommonShape(entries, input, RecordedShape(*op.outputs[0]));
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
  const bool fits = !mask && rank > 0 && SameExtent(common->front(), longest);
  // The file holds only as many elements of an index of several axes as its first axis has.
  const bool whole =
      fits && std::all_of(common->begin() + 1, common->end(), [](int64_t extent) { return extent == 1; });
  const std::string reading = fits && !whole ? CompleteRanges(entries, input, *common) : "";
  const std::string left_out =
      "operator '" + op.name + "' (Tensor.index): the converter left elements of expr=" + written_text + " out: ";
  const std::string recorded = ", since the recorded result has the indices as " + ShapeString(*common);
  if (!whole && longest == 1) {
    // The written index can be computed, and the converter's own program does so: it repeats the element like a number.
    if (!reading.empty()) {
      warnings.push_back(left_out + "element 0 is repeated, though index " + reading + " is meant" + recorded +
                         "; a second set of inputs at export (inputs2=...) keeps the elements");
    }
    return;
  }
  if (!whole && reading.empty()) {
    throw Error(ErrorCode::kGraph, "operator '" + op.name + "' (Tensor.index): expr=" + written_text +
                                       " gives indices of shape " + ShapeString(written) +
                                       ", the recorded result has them as " + ShapeString(*common) +
                                       ": the converter left elements out");
  }
  if (!whole) warnings.push_back(left_out + "index " + reading + recorded);
  expression->second = pnnx::Parameter(EntriesText(entries, rank));
}

}  // namespace kuiper_infer

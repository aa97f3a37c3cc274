// SPDX-License-Identifier: MIT
#include "runtime/repair/index_entry.hpp"

#include <algorithm>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operators/indexing/index_text.hpp"

namespace kuiper_infer {
namespace {

/// Reads an entry. Returns false if it is of a kind that the converter does not flatten.
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

std::string EntryText(const IndexEntry& entry, int64_t rank) {
  if (entry.none) return "None";
  const auto outer = static_cast<std::size_t>(entry.axis + 1);
  const auto inner = static_cast<std::size_t>(rank - entry.axis - 1);
  std::string text;
  for (const int64_t element : entry.elements) {
    text += (text.empty() ? "" : ",") + std::string(inner, '[') + std::to_string(element) + std::string(inner, ']');
  }
  return std::string(outer, '[') + text + std::string(outer, ']');
}

}  // namespace

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

std::string EntriesText(const std::vector<IndexEntry>& entries, int64_t rank) {
  std::string text;
  for (const IndexEntry& entry : entries) text += (text.empty() ? "[" : ",") + EntryText(entry, rank);
  return text + "]";
}

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

}  // namespace kuiper_infer

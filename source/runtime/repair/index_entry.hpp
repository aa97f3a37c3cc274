// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// One entry of the list in x[...]; None has no elements.
struct IndexEntry {
  bool none = false;
  bool list = false;  ///< whether it is written as a list: [2], not 2
  bool mask = false;
  std::vector<int64_t> elements;  ///< of a mask: a 1 for each element that is true
  int64_t axis = 0;               ///< axis of the entries' common shape along which the elements lie

  int64_t count() const { return static_cast<int64_t>(elements.size()); }
};

/// The entries of the list in `text`. Empty if the text cannot be read, which the operation reports, or if an entry is
/// of a kind that the converter does not flatten.
std::vector<IndexEntry> ReadEntries(const std::string& text);

/// Writes the entries as a list. Each entry has `rank` axes, and its elements lie along its own axis: [[2],[1]] if that
/// is the first of two axes.
std::string EntriesText(const std::vector<IndexEntry>& entries, int64_t rank);

/// The common shape of the index arrays, which follows from the shapes of input and result; nothing if it doesn't
/// follow.
std::optional<Shape> CommonShape(const std::vector<IndexEntry>& entries, const Shape& input, const Shape& result);

}  // namespace kuiper_infer

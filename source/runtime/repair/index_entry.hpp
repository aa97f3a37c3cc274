// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// One entry of the list behind x[...]; None has no elements.
struct IndexEntry {
  bool none = false;
  bool list = false;  ///< [2], not 2
  bool mask = false;
  std::vector<int64_t> elements;  ///< of a mask: one for each that is true
  int64_t axis = 0;               ///< of the entries' common shape: the one along which the elements lie

  int64_t count() const { return static_cast<int64_t>(elements.size()); }
};

/// The entries of the list that `text` writes. Empty where it cannot be read, which the operation reports, or where an
/// entry is none of those that the converter writes flat.
std::vector<IndexEntry> ReadEntries(const std::string& text);

/// The entries as a list in text: each has its elements along its axis of `rank` axes, [[2],[1]] along the first of 2.
std::string EntriesText(const std::vector<IndexEntry>& entries, int64_t rank);

/// The common shape of the index arrays, as the shapes of input and result have it; nothing where these don't tell.
std::optional<Shape> CommonShape(const std::vector<IndexEntry>& entries, const Shape& input, const Shape& result);

}  // namespace kuiper_infer

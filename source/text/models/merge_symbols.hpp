// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "text/models/merge_table.hpp"

namespace kuiper_infer::text {

/// Merges the symbols of a piece: always the pair whose merge comes first in the order, of equal ones the leftmost,
/// until no pair has a merge. Takes n log n steps for n symbols.
void MergeSymbols(const MergeTable& merges, std::vector<int32_t>& symbols);

}  // namespace kuiper_infer::text

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace kuiper_infer::cli {

/// A stretch of a sequence of items: `count` repeats, one after the other, of the `length` items from `first` on.
struct Fold {
  std::size_t first = 0;
  std::size_t length = 1;
  std::size_t count = 1;
  std::vector<Fold> parts;  ///< what the first repeat consists of; empty where it is a single item
};

/// Divides the items 0 to size - 1 into stretches, the longest repeats first, and the first repeat of each into
/// stretches of its own. `alike(i, j)` says whether item j repeats item i, j - i items before it. Repeats of more than
/// 256 items are not looked for: the time is in proportion to size * 256.
std::vector<Fold> FoldRepeats(std::size_t size, const std::function<bool(std::size_t, std::size_t)>& alike);

/// For each item that is shown, being in the first repeat of all stretches around it: the items for which it stands,
/// itself the first. Empty for items that are not shown.
std::vector<std::vector<std::size_t>> RepeatsOf(const std::vector<Fold>& folds, std::size_t size);

}  // namespace kuiper_infer::cli

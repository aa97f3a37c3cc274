// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace kuiper_infer::cli {

/// A part of a sequence of items: `count` successive repeats of the `length` items from `first` on.
struct Fold {
  std::size_t first = 0;
  std::size_t length = 1;
  std::size_t count = 1;
  std::vector<Fold> parts;  ///< the parts of the first repeat; empty if it is a single item
};

/// Divides the items 0 to size - 1 into folds, the longest repeats first, and the first repeat of each fold into folds
/// of its own. `alike(i, j)` says whether item j repeats the earlier item i. Repeats of more than 256 items are not
/// looked for, so that the time is proportional to size * 256.
std::vector<Fold> FoldRepeats(std::size_t size, const std::function<bool(std::size_t, std::size_t)>& alike);

/// For each item, the items for which it stands, beginning with itself. An item is shown if it is in the first repeat
/// of all folds around it; the list of any other item is empty.
std::vector<std::vector<std::size_t>> RepeatsOf(const std::vector<Fold>& folds, std::size_t size);

}  // namespace kuiper_infer::cli

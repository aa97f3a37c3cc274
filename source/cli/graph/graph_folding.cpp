// SPDX-License-Identifier: MIT
#include "cli/graph/graph_folding.hpp"

#include <algorithm>

namespace kuiper_infer::cli {
namespace {

using Alike = std::function<bool(std::size_t, std::size_t)>;

/// Repeats that start at an item.
struct Candidate {
  std::size_t length = 1;
  std::size_t count = 1;

  std::size_t covered() const { return length * count; }
};

/// Returns, for each item from `begin` to `end`, the repeats from there on that cover most items; if several cover as
/// many, the shortest.
std::vector<Candidate> FindRepeats(std::size_t begin, std::size_t end, const Alike& alike) {
  constexpr std::size_t kLongest = 256;
  std::vector<Candidate> best(end - begin);
  for (std::size_t length = 1; length <= std::min(kLongest, (end - begin) / 2); ++length) {
    std::size_t matches = 0;  // the number of items from i on that equal the item `length` later
    for (std::size_t i = end - length; i-- > begin;) {
      matches = alike(i, i + length) ? matches + 1 : 0;
      const Candidate found{length, matches / length + 1};
      if (found.count > 1 && found.covered() > best[i - begin].covered()) best[i - begin] = found;
    }
  }
  return best;
}

std::vector<Fold> FoldRange(std::size_t begin, std::size_t end, const Alike& alike) {
  const std::vector<Candidate> repeats = FindRepeats(begin, end, alike);
  std::vector<Fold> folds;
  for (std::size_t i = begin; i < end;) {
    Candidate chosen = repeats[i - begin];
    // Short repeats end where longer ones begin.
    for (std::size_t j = i + 1; j < i + chosen.covered(); ++j) {
      if (repeats[j - begin].covered() > chosen.covered()) chosen.count = (j - i) / chosen.length;
    }
    if (chosen.count < 2) chosen = Candidate{};
    Fold fold{i, chosen.length, chosen.count, {}};
    if (chosen.length > 1) fold.parts = FoldRange(i, i + chosen.length, alike);
    folds.push_back(std::move(fold));
    i += chosen.covered();
  }
  return folds;
}

void AddRepeats(const Fold& fold, const std::vector<std::size_t>& shifts,
                std::vector<std::vector<std::size_t>>& repeats) {
  std::vector<std::size_t> inner;
  for (const std::size_t shift : shifts) {
    for (std::size_t k = 0; k < fold.count; ++k) inner.push_back(shift + k * fold.length);
  }
  if (fold.parts.empty()) {
    for (const std::size_t shift : inner) repeats[fold.first].push_back(fold.first + shift);
  }
  for (const Fold& part : fold.parts) AddRepeats(part, inner, repeats);
}

}  // namespace

std::vector<Fold> FoldRepeats(std::size_t size, const Alike& alike) { return FoldRange(0, size, alike); }

std::vector<std::vector<std::size_t>> RepeatsOf(const std::vector<Fold>& folds, std::size_t size) {
  std::vector<std::vector<std::size_t>> repeats(size);
  for (const Fold& fold : folds) AddRepeats(fold, {0}, repeats);
  return repeats;
}

}  // namespace kuiper_infer::cli

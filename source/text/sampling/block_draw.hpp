// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "text/sampling/logit_sums.hpp"

namespace kuiper_infer::text {

/// The first of `count` tokens at which the sum of the weights, in the order of the tokens, exceeds `part` of the whole
/// sum; `part` is from 0 to below 1. `sums` are the weights of the blocks, `weight_of(token)` the weight of a token, 0
/// if it can't be chosen.
template <class WeightOf>
int64_t DrawFromBlocks(int64_t count, const std::vector<double>& sums, double part, WeightOf weight_of) {
  double total = 0;
  for (const double sum : sums) total += sum;
  const double target = std::min(part * total, std::nextafter(total, 0.0));
  double reached = 0;
  std::size_t block = 0;
  while (block + 1 < sums.size() && reached + sums[block] <= target) reached += sums[block++];
  int64_t chosen = -1;
  for (int64_t i = static_cast<int64_t>(block) * kLogitBlock; i < count; ++i) {  // only rounding leads beyond the block
    const auto weight = static_cast<double>(weight_of(i));
    if (weight <= 0) continue;
    chosen = i;
    reached += weight;
    if (reached > target) return i;
  }
  return chosen;
}

}  // namespace kuiper_infer::text

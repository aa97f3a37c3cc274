// SPDX-License-Identifier: MIT
#include "text/sampling/token_filter.hpp"

#include <cmath>
#include <limits>

namespace kuiper_infer::text {

Left TokenFilter::Apply() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Left left = Left::kAll;
  if (options.top_k > 0 && options.top_k < blocks.count()) {
    candidates.Take(blocks, blocks.KthLargest(options.top_k), kInfinity, scale);
    left = Left::kCandidates;
  }
  if (options.top_p < 1) left = KeepTopP(left);
  if (options.min_p > 0) {
    const auto reach = static_cast<float>(std::log(options.min_p)) / scale;
    if (left == Left::kAll) candidates.Take(blocks, blocks.largest() + reach, kInfinity, scale);
    Listed(left);
    candidates.KeepHeavy(options.min_p);
    left = Left::kCandidates;
  }
  if (options.typical_p < 1) left = KeepTypical(Listed(left));
  return left;
}

Left TokenFilter::KeepTopP(Left left) {
  const ExpSums sums = left == Left::kAll ? blocks.KeepWeights(scale) : candidates.Sums();
  return KeepNearest(left, 0, options.top_p * sums.weights, Ties::kFirst);
}

Left TokenFilter::KeepTypical(Left left) {
  // The mean of -log(p) is log(sum) - mean(x). A token is far from it if x is far from mean(x).
  const ExpSums sums = left == Left::kAll ? blocks.KeepWeights(scale) : candidates.Sums();
  return KeepNearest(left, sums.weighted / sums.weights, options.typical_p * sums.weights, Ties::kAll);
}

Left TokenFilter::KeepNearest(Left left, double center, double needed, Ties ties) {
  if (left == Left::kAll) {
    nearest.Find(blocks, center, needed, ties);
    return Left::kNearest;
  }
  candidates.KeepNearest(center, needed, ties);
  return Left::kCandidates;
}

Left TokenFilter::Listed(Left left) {
  if (left == Left::kNearest) candidates.Take(blocks, nearest, scale);
  return left == Left::kAll ? left : Left::kCandidates;
}

}  // namespace kuiper_infer::text

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/sampling/logit_sums.hpp"
#include "text/sampling/range_sums.hpp"

namespace kuiper_infer::text {

/// Logits with the largest one of each block of 64, by which a search leaves out most blocks.
class LogitBlocks {
 public:
  /// Reads `count` logits, which have to stay as they are until the next call. Throws Error(kInput) if one is NaN or
  /// plus infinity, or if none is finite.
  void Set(const float* logits, int64_t count);

  const float* logits() const { return logits_; }
  int64_t count() const { return count_; }
  /// The largest logit.
  float largest() const { return largest_; }
  /// The `k`th largest logit, k from 1 to count().
  float KthLargest(int64_t k);
  /// Sets `tokens` to the tokens with a logit from `least` to `most`, in the order of their numbers.
  void Find(float least, float most, std::vector<int32_t>& tokens) const;
  /// The sums over all tokens for x = (logit - largest()) * scale. Keeps the weights of the blocks for Draw.
  ExpSums SumWeights(float scale);
  /// SumWeights, which also keeps the weights of all tokens, for tokens().
  ExpSums KeepWeights(float scale);
  /// The tokens with their weights, and the weights of the blocks, of the last call of KeepWeights.
  WeightedLogits tokens() const;
  const std::vector<double>& block_weights() const { return sums_; }
  /// The first token at which the sum of the weights, in the order of the tokens, exceeds `part` of the whole sum. For
  /// the scale of the last call of SumWeights; `part` is from 0 to below 1.
  int64_t Draw(float scale, double part) const;

 private:
  [[noreturn]] void FailAtFault() const;
  int64_t EndOf(int64_t block) const;

  const float* logits_ = nullptr;
  int64_t count_ = 0;
  float largest_ = 0;
  std::vector<float> maxima_;  ///< of the blocks
  std::vector<float> scratch_;
  std::vector<double> sums_;  ///< of the weights of the blocks
  std::vector<float> weights_;
  float scale_ = 1;  ///< of weights_
};

}  // namespace kuiper_infer::text

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/sampling/covering_token.hpp"
#include "text/sampling/logit_blocks.hpp"
#include "text/sampling/nearest_tokens.hpp"

namespace kuiper_infer::text {

/// Tokens of which one will be chosen, in the order of their numbers. A token has x = (logit - largest logit) * scale,
/// and the weight exp(x): its probability is its weight divided by the sum of the weights.
class Candidates {
 public:
  /// The tokens whose logits lie from `least` to `most`.
  void Take(const LogitBlocks& blocks, float least, float most, float scale);
  /// The tokens that were found.
  void Take(const LogitBlocks& blocks, const NearestTokens& found, float scale);

  /// Keeps the tokens whose x is nearest to `center`, as few as have the weight `needed` together.
  void KeepNearest(double center, double needed, Ties ties);
  /// Keeps the tokens whose weight is at least `least`.
  void KeepHeavy(double least);

  ExpSums Sums() const;
  /// The first token at which the sum of the weights exceeds `part` of the whole; `part` is from 0 to below 1.
  int64_t Draw(double part) const;

  std::size_t size() const { return tokens_.size(); }
  int64_t token(std::size_t i) const { return tokens_[i]; }
  float weight(std::size_t i) const { return weights_[i]; }

 private:
  /// Computes x and weight of tokens_.
  void Weigh(const LogitBlocks& blocks, float scale);
  template <class Kept>
  void Keep(Kept kept);

  std::vector<int32_t> tokens_;
  std::vector<float> xs_;
  std::vector<float> weights_;
  std::vector<RankedToken> ranked_;
};

}  // namespace kuiper_infer::text

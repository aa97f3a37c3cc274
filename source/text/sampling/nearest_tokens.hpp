// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/sampling/covering_token.hpp"
#include "text/sampling/distance_range.hpp"
#include "text/sampling/logit_blocks.hpp"

namespace kuiper_infer::text {

/// Of tokens that are as near as the last one that is needed, those with smaller numbers are kept, or all.
enum class Ties { kFirst, kAll };

/// The tokens of a whole vocabulary whose x = (logit - largest logit) * scale is nearest to a center, as few as have a
/// given weight together. The most probable tokens are those nearest to 0.
class NearestTokens {
 public:
  /// Finds the tokens that have the weight `needed`, by the weights that `blocks` kept. `blocks` has to stay as it is
  /// until the next call.
  void Find(const LogitBlocks& blocks, double center, double needed, Ties ties);
  /// Sets `tokens` to the tokens found, in the order of their numbers. Those without weight may be missing.
  void List(std::vector<int32_t>& tokens) const;
  /// The first of the tokens found at which the sum of the weights exceeds `part` of the whole; `part` is from 0 to
  /// below 1.
  int64_t Draw(double part) const;

 private:
  /// Two distances: the tokens nearer than `near` are likely to be found, those farther than `far` are likely not to
  /// be.
  struct Bracket {
    float near;
    float far;
  };
  /// Sets distances_ to those of tokens at equal steps of the sum of the weights: a sample of the distribution.
  void TakeSample(const std::vector<double>& block_weights, double total);
  /// The bracket gets wider with each attempt, at last infinite. `share`: the part of all weight that is to be found.
  Bracket Guess(double share, int attempt);
  /// The last token found. An attempt takes a pass over all tokens and sorts those in the bracket.
  RankedToken Search(double share, double needed);
  /// Lists the tokens of between_ in ranked_.
  void RankBetween();
  float XOf(int64_t token) const { return (tokens_.logits[token] - tokens_.largest) * tokens_.scale; }
  /// A function that tells whether a token is found.
  auto Found() const {
    return [tokens = tokens_, center = center_, last = last_, all = ties_ == Ties::kAll](int64_t token) {
      const float distance = DistanceOf((tokens.logits[token] - tokens.largest) * tokens.scale, center);
      return distance < last.key || (distance == last.key && (all || token <= last.token));
    };
  }

  WeightedLogits tokens_;
  double center_ = 0;
  Ties ties_ = Ties::kFirst;
  RankedToken last_{};  ///< the last token found: those after it are left out
  std::vector<float> distances_;
  std::vector<int32_t> between_;   ///< the tokens in the bracket
  std::size_t between_count_ = 0;  ///< their number: between_ and ranked_ have room for all tokens
  std::vector<RankedToken> ranked_;
  std::vector<double> sums_;  ///< of the weights of the tokens found, for each block
};

}  // namespace kuiper_infer::text

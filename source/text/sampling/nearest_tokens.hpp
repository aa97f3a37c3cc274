// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/sampling/covering_token.hpp"
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
  /// Sets `tokens` to the tokens found, in the order of their numbers.
  void List(std::vector<int32_t>& tokens) const;
  /// The first of the tokens found at which the sum of the weights exceeds `part` of the whole; `part` is from 0 to
  /// below 1.
  int64_t Draw(double part);

 private:
  /// Two distances: the tokens nearer than `near` are likely to be found, those farther than `far` are likely not to be.
  struct Bracket {
    float near;
    float far;
  };
  Bracket Guess(const std::vector<double>& block_weights, double needed);
  /// The last token found. The time is that of the passes over all tokens, and of sorting those in the bracket.
  RankedToken Search(Bracket bracket, double needed);
  /// Lists the tokens of between_ in ranked_.
  void RankBetween(int64_t count);
  bool IsFound(int64_t token) const;
  float XOf(int64_t token) const { return (tokens_.logits[token] - tokens_.largest) * tokens_.scale; }
  /// Writes the weights of the tokens of a range in the blocks from `first` to before `end` to sums_.
  void SumBlocks(int64_t first, int64_t end, Range range);

  WeightedLogits tokens_;
  double center_ = 0;
  Ties ties_ = Ties::kFirst;
  RankedToken last_;  ///< the last token found: those after it are left out
  std::vector<float> distances_;
  std::vector<int32_t> between_;
  std::vector<RankedToken> ranked_;
  std::vector<double> sums_;  ///< of the weights of the blocks
};

}  // namespace kuiper_infer::text

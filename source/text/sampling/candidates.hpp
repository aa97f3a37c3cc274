// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/sampling/logit_blocks.hpp"

namespace kuiper_infer::text {

/// Tokens of which one will be chosen, in the order of their numbers. A token has x = (logit - largest logit) * scale,
/// and the weight exp(x): its probability is its weight divided by the sum of the weights.
class Candidates {
 public:
  /// The tokens whose logits lie from `least` to `most`.
  void Take(const LogitBlocks& blocks, float least, float most, float scale);
  /// The tokens whose x lies within `reach` of `center`. `reach` begins at 1 and is doubled until the weights of these
  /// tokens are `needed` together, or all tokens with a finite logit are taken.
  void TakeAround(const LogitBlocks& blocks, double center, double needed, float scale);

  /// Keeps the tokens with the largest x, as few as have the weight `needed` together. Of tokens with the same x, those
  /// with smaller numbers are kept first.
  void KeepLargest(double needed);
  /// Keeps the tokens whose x is nearest to `center`, as few as have the weight `needed` together, and those that are
  /// as near as the last of them.
  void KeepNearest(double center, double needed);
  /// Keeps the tokens whose weight is at least `least`.
  void KeepHeavy(double least);

  ExpSums Sums() const;
  /// The first token at which the sum of the weights exceeds `part` of the whole; `part` is from 0 to below 1.
  int64_t Draw(double part) const;

  std::size_t size() const { return tokens_.size(); }
  int64_t token(std::size_t i) const { return tokens_[i]; }
  float weight(std::size_t i) const { return weights_[i]; }

 private:
  /// A token in an order: by `key`, then by `token`.
  struct Ranked {
    float key;
    int32_t token;
    float weight;
  };
  static bool Before(const Ranked& a, const Ranked& b);

  /// The first of ranked_, in their order, at which the sum of the weights reaches `needed`.
  Ranked LastCovering(double needed);
  template <class Key>
  void Rank(Key key);
  template <class Kept>
  void Keep(Kept kept);

  std::vector<int32_t> tokens_;
  std::vector<float> xs_;
  std::vector<float> weights_;
  std::vector<Ranked> ranked_;
};

}  // namespace kuiper_infer::text

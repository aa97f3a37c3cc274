// SPDX-License-Identifier: MIT
#include "text/sampling/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/elementwise/vector_math.hpp"
#include "text/sampling/distance_range.hpp"

namespace kuiper_infer::text {

void Candidates::Take(const LogitBlocks& blocks, float least, float most, float scale) {
  blocks.Find(least, most, tokens_);
  Weigh(blocks, scale);
}

void Candidates::Take(const LogitBlocks& blocks, const NearestTokens& found, float scale) {
  found.List(tokens_);
  Weigh(blocks, scale);
}

void Candidates::Weigh(const LogitBlocks& blocks, float scale) {
  xs_.resize(tokens_.size());
  weights_.resize(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    xs_[i] = (blocks.logits()[tokens_[i]] - blocks.largest()) * scale;
    weights_[i] = kernel::Exp(xs_[i]);
  }
}

template <class Kept>
void Candidates::Keep(Kept kept) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!kept(i)) continue;
    tokens_[count] = tokens_[i];
    xs_[count] = xs_[i];
    weights_[count] = weights_[i];
    ++count;
  }
  tokens_.resize(count);
  xs_.resize(count);
  weights_.resize(count);
}

void Candidates::KeepNearest(double center, double needed, Ties ties) {
  ranked_.resize(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) ranked_[i] = {DistanceOf(xs_[i], center), tokens_[i], weights_[i]};
  const RankedToken last = FindCovering(ranked_.data(), ranked_.data() + ranked_.size(), 0, needed).token;
  Keep([&](std::size_t i) {
    const float distance = DistanceOf(xs_[i], center);
    if (distance != last.key) return distance < last.key;
    return ties == Ties::kAll || tokens_[i] <= last.token;
  });
}

void Candidates::KeepHeavy(double least) {
  Keep([&](std::size_t i) { return static_cast<double>(weights_[i]) >= least; });
}

ExpSums Candidates::Sums() const {
  ExpSums sums;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const auto weight = static_cast<double>(weights_[i]);
    sums.weights += weight;
    if (weight > 0) sums.weighted += weight * static_cast<double>(xs_[i]);
  }
  return sums;
}

int64_t Candidates::Draw(double part) const {
  const double total = Sums().weights;
  const double target = std::min(part * total, std::nextafter(total, 0.0));
  double reached = 0;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < weights_.size() && reached <= target; ++i) {
    if (weights_[i] <= 0) continue;
    reached += static_cast<double>(weights_[i]);
    chosen = i;
  }
  return tokens_[chosen];
}

}  // namespace kuiper_infer::text

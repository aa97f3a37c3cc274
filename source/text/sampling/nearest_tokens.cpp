// SPDX-License-Identifier: MIT
#include "text/sampling/nearest_tokens.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/sampling/block_draw.hpp"
#include "text/sampling/distance_range.hpp"

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNone = -1;  ///< a distance below all others

}  // namespace

void NearestTokens::Find(const LogitBlocks& blocks, double center, double needed, Ties ties) {
  tokens_ = blocks.tokens();
  center_ = center;
  ties_ = ties;
  sums_.resize(blocks.block_weights().size());
  between_.resize(static_cast<std::size_t>(tokens_.count + kLogitBlock));
  last_ = Search(Guess(blocks.block_weights(), needed), needed);
}

NearestTokens::Bracket NearestTokens::Guess(const std::vector<double>& block_weights, double needed) {
  // Tokens at equal steps of the sum of the weights are a sample of the distribution. Most times, the share of it that
  // is nearer than the last token deviates by less than kSigmas standard deviations from the share that is wanted.
  constexpr int kSample = 512;
  constexpr double kSigmas = 2.5;
  constexpr int64_t kFew = 1024;  // so many tokens are sorted sooner than guessed
  if (tokens_.count <= kFew) return {kNone, kInfinity};
  double total = 0;
  for (const double weight : block_weights) total += weight;
  distances_.clear();
  std::size_t block = 0;
  double before = 0;  // the weights of the blocks before `block`
  int64_t token = 0;
  double reached = 0;  // the weights of the tokens before `token`
  for (int i = 0; i < kSample; ++i) {
    const double target = (i + 0.5) / kSample * total;
    while (block + 1 < block_weights.size() && before + block_weights[block] <= target) {
      before += block_weights[block++];
      token = static_cast<int64_t>(block) * kLogitBlock;
      reached = before;
    }
    const int64_t end = std::min(tokens_.count, (static_cast<int64_t>(block) + 1) * kLogitBlock);
    while (token + 1 < end && reached + static_cast<double>(tokens_.weights[token]) <= target) {
      reached += static_cast<double>(tokens_.weights[token++]);
    }
    distances_.push_back(DistanceOf(XOf(token), center_));
  }
  const double share = std::min(needed / total, 1.0);
  const double deviation = kSigmas * std::sqrt(kSample * share * (1 - share)) + 1;
  const auto distance_at = [&](double place) {
    const auto nth = distances_.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(distances_.begin(), nth, distances_.end());
    return *nth;
  };
  const double near = kSample * share - deviation;
  const double far = std::min<double>(kSample * share + deviation, kSample - 1);
  return {near < 0 ? kNone : distance_at(near), distance_at(far)};
}

void NearestTokens::RankBetween(int64_t count) {
  ranked_.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    const int32_t token = between_[i];
    ranked_[i] = {DistanceOf(XOf(token), center_), token, tokens_.weights[token]};
  }
}

RankedToken NearestTokens::Search(Bracket bracket, double needed) {
  constexpr int kGuesses = 6;
  for (int guess = 1;; ++guess) {
    const Range inner = RangeAround(center_, std::nextafter(bracket.near, kNone));
    const Range outer = RangeAround(center_, bracket.far);
    int64_t count = 0;
    const double before = SumRange(tokens_, inner, outer, sums_.data(), between_.data(), &count);
    if (before < needed && count > 0) {
      RankBetween(count);
      const CoveringToken last = FindCovering(ranked_, before, needed);
      const bool is_all = bracket.near == kNone && bracket.far == kInfinity;
      // The limits of the ranges are rounded: the answer holds if it is farther than all that is inside, and nearer than
      // all that is outside.
      const bool is_outside_inner = last.token.key > FarthestIn(inner, center_);
      if (is_all || (last.covers && is_outside_inner && last.token.key < NearestOutside(outer, center_))) {
        return last.token;
      }
      if (!is_outside_inner) bracket.near = kNone;
    }
    if (before >= needed) {
      bracket.near = kNone;
    } else {
      bracket.far = guess < kGuesses ? bracket.far * 1.25F + 0.5F : kInfinity;
    }
    if (guess > 2 * kGuesses) bracket = {kNone, kInfinity};
  }
}

bool NearestTokens::IsFound(int64_t token) const {
  const float distance = DistanceOf(XOf(token), center_);
  if (distance != last_.key) return distance < last_.key;
  return ties_ == Ties::kAll || token <= last_.token;
}

void NearestTokens::List(std::vector<int32_t>& tokens) const {
  tokens.clear();
  const Range range = RangeWithin(center_, last_.key);
  for (int64_t first = 0; first < tokens_.count; first += kLogitBlock) {
    if ((tokens_.maxima[first / kLogitBlock] - tokens_.largest) * tokens_.scale < range.least) continue;
    for (int64_t i = first; i < std::min(tokens_.count, first + kLogitBlock); ++i) {
      if (IsFound(i)) tokens.push_back(static_cast<int32_t>(i));
    }
  }
}

void NearestTokens::SumBlocks(int64_t first, int64_t end, Range range) {
  WeightedLogits part = tokens_;
  const int64_t first_token = first * kLogitBlock;
  part.count = std::min(tokens_.count, end * kLogitBlock) - first_token;
  part.logits += first_token;
  part.weights += first_token;
  part.maxima += first;
  int64_t none = 0;
  SumRange(part, range, {}, sums_.data() + first, nullptr, &none);
}

int64_t NearestTokens::Draw(double part) {
  const Range range = RangeWithin(center_, last_.key);
  const auto weight_of = [&](int64_t i) { return IsFound(i) ? tokens_.weights[i] : 0.0F; };
  const auto blocks = static_cast<int64_t>(sums_.size());
  if (ties_ == Ties::kAll) {
    SumBlocks(0, blocks, range);
  } else {
    const int64_t block = last_.token / kLogitBlock;
    SumBlocks(0, block, range);
    double& sum = sums_[static_cast<std::size_t>(block)];
    sum = 0;
    for (int64_t i = block * kLogitBlock; i < std::min(tokens_.count, (block + 1) * kLogitBlock); ++i) {
      sum += static_cast<double>(weight_of(i));
    }
    SumBlocks(block + 1, blocks, RangeWithin(center_, std::nextafter(last_.key, kNone)));
  }
  return DrawFromBlocks(tokens_.count, sums_, part, weight_of);
}

}  // namespace kuiper_infer::text

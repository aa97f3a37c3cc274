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
constexpr int kSample = 1024;

}  // namespace

void NearestTokens::Find(const LogitBlocks& blocks, double center, double needed, Ties ties) {
  constexpr int64_t kFew = 2048;  // tokens, which take less time to sort than to guess bounds for
  tokens_ = blocks.tokens();
  center_ = center;
  ties_ = ties;
  sums_.resize(blocks.block_weights().size());
  between_.resize(static_cast<std::size_t>(tokens_.count));
  ranked_.resize(static_cast<std::size_t>(tokens_.count));
  double total = 0;
  for (const double weight : blocks.block_weights()) total += weight;
  distances_.clear();
  if (tokens_.count > kFew) TakeSample(blocks.block_weights(), total);
  last_ = Search(std::min(needed / total, 1.0), needed);
  const auto is_found = Found();
  for (std::size_t i = 0; i < between_count_; ++i) {
    const int32_t token = between_[i];
    // About half of them are found, in no order that a CPU would foresee: a factor is faster than a branch.
    const double factor = is_found(token) ? 1 : 0;
    sums_[static_cast<std::size_t>(token / kLogitBlock)] += factor * static_cast<double>(tokens_.weights[token]);
  }
}

void NearestTokens::TakeSample(const std::vector<double>& block_weights, double total) {
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
}

NearestTokens::Bracket NearestTokens::Guess(double share, int attempt) {
  constexpr int kAttempts = 8;
  if (distances_.empty() || attempt == kAttempts) return {kNone, kInfinity};
  // The share of the sample that is nearer than the last token deviates from the share that is wanted.
  const double deviation = std::ldexp(2.5, attempt) * std::sqrt(kSample * share * (1 - share)) + 1;
  const auto distance_at = [&](double place) {
    const auto nth = distances_.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(distances_.begin(), nth, distances_.end());
    return *nth;
  };
  const double near = kSample * share - deviation;
  const double far = kSample * share + deviation;
  // Beyond the sample, the distance grows with each attempt.
  const float growth = far < kSample ? 0 : static_cast<float>(attempt);
  const float farthest = distance_at(std::min<double>(far, kSample - 1));
  return {near < 0 ? kNone : distance_at(near), farthest * (1 + growth / 4) + growth / 2};
}

void NearestTokens::RankBetween() {
  for (std::size_t i = 0; i < between_count_; ++i) {
    const int32_t token = between_[i];
    ranked_[i] = {DistanceOf(XOf(token), center_), token, tokens_.weights[token]};
  }
}

RankedToken NearestTokens::Search(double share, double needed) {
  for (int attempt = 0;; ++attempt) {
    const Bracket bracket = Guess(share, attempt);
    const Range inner = RangeAround(center_, std::nextafter(bracket.near, kNone));
    const Range outer = RangeAround(center_, bracket.far);
    const RangeSum sum = SumRange(tokens_, inner, outer, sums_.data(), between_.data());
    between_count_ = static_cast<std::size_t>(sum.between_end - between_.data());
    if (sum.weight >= needed || between_count_ == 0) continue;
    RankBetween();
    const CoveringToken last = FindCovering(ranked_.data(), ranked_.data() + between_count_, sum.weight, needed);
    // The limits of the ranges are rounded: the answer holds if it is farther than all that is inside, and nearer than
    // all that is outside.
    const bool holds =
        last.covers && last.token.key > FarthestIn(inner, center_) && last.token.key < NearestOutside(outer, center_);
    const bool is_all = bracket.near == kNone && bracket.far == kInfinity;
    if (holds || is_all) return last.token;
  }
}

void NearestTokens::List(std::vector<int32_t>& tokens) const {
  tokens.clear();
  const auto is_found = Found();
  for (std::size_t block = 0; block < sums_.size(); ++block) {
    if (sums_[block] <= 0) continue;
    const int64_t first = static_cast<int64_t>(block) * kLogitBlock;
    for (int64_t i = first; i < std::min(tokens_.count, first + kLogitBlock); ++i) {
      if (is_found(i)) tokens.push_back(static_cast<int32_t>(i));
    }
  }
}

int64_t NearestTokens::Draw(double part) const {
  const auto weight_of = [&, is_found = Found()](int64_t i) { return is_found(i) ? tokens_.weights[i] : 0.0F; };
  return DrawFromBlocks(tokens_.count, sums_, part, weight_of);
}

}  // namespace kuiper_infer::text

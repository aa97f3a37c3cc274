// SPDX-License-Identifier: MIT
#include "text/sampling/logit_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "kernel/elementwise/vector_math.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/block_draw.hpp"

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

int64_t LogitBlocks::EndOf(int64_t block) const { return std::min(count_, (block + 1) * kLogitBlock); }

void LogitBlocks::Set(const float* logits, int64_t count) {
  logits_ = logits;
  count_ = count;
  maxima_.resize(static_cast<std::size_t>((count + kLogitBlock - 1) / kLogitBlock));
  const bool right = BlockMaxima(count, logits, maxima_.data());
  largest_ = count == 0 ? -kInfinity : *std::max_element(maxima_.begin(), maxima_.end());
  if (!right || largest_ == -kInfinity) FailAtFault();
}

void LogitBlocks::FailAtFault() const {
  for (int64_t i = 0; i < count_; ++i) {
    if (logits_[i] < kInfinity) continue;
    throw Error(ErrorCode::kInput, "the logit of token " + std::to_string(i) + " is " +
                                       (std::isnan(logits_[i]) ? "not a number" : "infinite") +
                                       ", expected finite numbers or minus infinity");
  }
  throw Error(ErrorCode::kInput,
              "the logits of all " + std::to_string(count_) + " tokens are minus infinity: no token is left to choose");
}

float LogitBlocks::KthLargest(int64_t k) {
  // At least k logits are as large as the kth largest of the maxima, so smaller logits need no look.
  float bound = -kInfinity;
  if (k <= static_cast<int64_t>(maxima_.size())) {
    scratch_.assign(maxima_.begin(), maxima_.end());
    std::nth_element(scratch_.begin(), scratch_.begin() + (k - 1), scratch_.end(), std::greater<>());
    bound = scratch_[static_cast<std::size_t>(k - 1)];
  }
  scratch_.clear();
  for (std::size_t block = 0; block < maxima_.size(); ++block) {
    if (maxima_[block] < bound) continue;
    const auto number = static_cast<int64_t>(block);
    for (int64_t i = number * kLogitBlock; i < EndOf(number); ++i) {
      if (logits_[i] >= bound) scratch_.push_back(logits_[i]);
    }
  }
  std::nth_element(scratch_.begin(), scratch_.begin() + (k - 1), scratch_.end(), std::greater<>());
  return scratch_[static_cast<std::size_t>(k - 1)];
}

void LogitBlocks::Find(float least, float most, std::vector<int32_t>& tokens) const {
  tokens.clear();
  for (std::size_t block = 0; block < maxima_.size(); ++block) {
    if (maxima_[block] < least) continue;
    const auto number = static_cast<int64_t>(block);
    for (int64_t i = number * kLogitBlock; i < EndOf(number); ++i) {
      if (logits_[i] >= least && logits_[i] <= most) tokens.push_back(static_cast<int32_t>(i));
    }
  }
}

ExpSums LogitBlocks::SumWeights(float scale) {
  sums_.resize(maxima_.size());
  return SumExps(count_, logits_, largest_, scale, sums_.data(), nullptr);
}

ExpSums LogitBlocks::KeepWeights(float scale) {
  sums_.resize(maxima_.size());
  weights_.resize(static_cast<std::size_t>(count_));
  scale_ = scale;
  return SumExps(count_, logits_, largest_, scale, sums_.data(), weights_.data());
}

WeightedLogits LogitBlocks::tokens() const {
  return {count_, logits_, weights_.data(), maxima_.data(), largest_, scale_};
}

int64_t LogitBlocks::Draw(float scale, double part) const {
  const auto weight_of = [&](int64_t i) { return kernel::Exp((logits_[i] - largest_) * scale); };
  return DrawFromBlocks(count_, sums_, part, weight_of);
}

}  // namespace kuiper_infer::text

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/candidates.hpp"
#include "text/sampling/nearest_tokens.hpp"
#include "text/sampling/random_numbers.hpp"
#include "text/sampling/sampling_checks.hpp"
#include "text/sampling/token_counts.hpp"

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kLeastTemperature = 1e-6;  ///< below it the most probable token has all of the probability

}  // namespace

struct Sampler::Impl {
  Impl(const SamplingOptions& given, int64_t size) : options(given), vocabulary(size), counts(size) {
    greedy = options.temperature < kLeastTemperature;
    scale = greedy ? 1 : static_cast<float>(1 / options.temperature);
    penalised = options.repetition_penalty != 1 || options.frequency_penalty != 0 || options.presence_penalty != 0;
  }

  /// The logits after bias and penalties; `logits` itself if there are none.
  const float* Adjusted(const float* logits) {
    if (options.logit_bias.empty() && !penalised) return logits;
    adjusted.assign(logits, logits + vocabulary);
    for (const auto& [token, bias] : options.logit_bias) adjusted[static_cast<std::size_t>(token)] += bias;
    if (penalised) counts.Penalise(options, adjusted);
    return adjusted.data();
  }

  /// What the filters leave: all tokens, those of `nearest`, or those of `candidates`.
  enum class Left { kAll, kNearest, kCandidates };

  Left Filter() {
    Left left = Left::kAll;
    if (options.top_k > 0 && options.top_k < vocabulary) {
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

  Left KeepTopP(Left left) {
    const double needed = options.top_p * (left == Left::kAll ? blocks.KeepWeights(scale) : candidates.Sums()).weights;
    return KeepNearest(left, 0, needed, Ties::kFirst);
  }

  Left KeepTypical(Left left) {
    // The mean of -log(p) is log(sum) - mean(x). A token is far from it if x is far from mean(x).
    const ExpSums sums = left == Left::kAll ? blocks.KeepWeights(scale) : candidates.Sums();
    return KeepNearest(left, sums.weighted / sums.weights, options.typical_p * sums.weights, Ties::kAll);
  }

  Left KeepNearest(Left left, double center, double needed, Ties ties) {
    if (left == Left::kAll) {
      nearest.Find(blocks, center, needed, ties);
      return Left::kNearest;
    }
    candidates.KeepNearest(center, needed, ties);
    return Left::kCandidates;
  }

  /// Sets `candidates` to what is left, unless all tokens are.
  Left Listed(Left left) {
    if (left == Left::kNearest) candidates.Take(blocks, nearest, scale);
    return left == Left::kAll ? left : Left::kCandidates;
  }

  const SamplingOptions options;
  const int64_t vocabulary;
  TokenCounts counts;
  uint64_t length = 0;  ///< tokens of the answer
  bool greedy = false;
  bool penalised = false;
  float scale = 1;  ///< the inverse of the temperature
  std::vector<float> adjusted;
  LogitBlocks blocks;
  NearestTokens nearest;
  Candidates candidates;
};

Sampler::Sampler(const SamplingOptions& options, int64_t vocabulary) {
  CheckSamplingOptions(options, vocabulary);
  impl_ = std::make_unique<Impl>(options, vocabulary);
}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

void Sampler::AddPrompt(const std::vector<int64_t>& tokens) {
  for (const int64_t token : tokens) CheckToken(token, impl_->vocabulary, "a token of the prompt");
  for (const int64_t token : tokens) impl_->counts.AddPrompt(token);
}

void Sampler::Add(int64_t token) {
  CheckToken(token, impl_->vocabulary, "the token");
  impl_->counts.Add(token);
  ++impl_->length;
}

int64_t Sampler::Sample(const float* logits) {
  Impl& impl = *impl_;
  impl.blocks.Set(impl.Adjusted(logits), impl.vocabulary);
  if (impl.greedy) {
    impl.candidates.Take(impl.blocks, impl.blocks.largest(), kInfinity, impl.scale);
    return impl.candidates.token(0);
  }
  const double part = RandomNumber(impl.options.seed, impl.length);
  switch (impl.Filter()) {
    case Impl::Left::kNearest:
      return impl.nearest.Draw(part);
    case Impl::Left::kCandidates:
      return impl.candidates.Draw(part);
    case Impl::Left::kAll:
      break;
  }
  impl.blocks.SumWeights(impl.scale);
  return impl.blocks.Draw(impl.scale, part);
}

double Sampler::Margin() {
  LogitBlocks& blocks = impl_->blocks;
  if (blocks.count() < 2) return std::numeric_limits<double>::infinity();
  return static_cast<double>(blocks.largest()) - static_cast<double>(blocks.KthLargest(2));
}

std::vector<ScoredToken> Sampler::Distribution(const float* logits) {
  Impl& impl = *impl_;
  impl.blocks.Set(impl.Adjusted(logits), impl.vocabulary);
  Candidates& candidates = impl.candidates;
  if (impl.greedy) {
    candidates.Take(impl.blocks, impl.blocks.largest(), kInfinity, impl.scale);
    return {{candidates.token(0), 1}};
  }
  if (impl.Listed(impl.Filter()) == Impl::Left::kAll) {
    candidates.Take(impl.blocks, std::numeric_limits<float>::lowest(), kInfinity, impl.scale);
  }
  const double total = candidates.Sums().weights;
  std::vector<ScoredToken> distribution;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto weight = static_cast<double>(candidates.weight(i));
    if (weight > 0) distribution.push_back({candidates.token(i), weight / total});
  }
  return distribution;
}

}  // namespace kuiper_infer::text

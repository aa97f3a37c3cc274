// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/candidates.hpp"
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

  /// Sets `candidates` to what the filters leave. Returns false, and leaves the candidates as they are, if there are no
  /// filters: all tokens are left.
  bool Filter() {
    bool taken = false;
    if (options.top_k > 0 && options.top_k < vocabulary) {
      candidates.Take(blocks, blocks.KthLargest(options.top_k), kInfinity, scale);
      taken = true;
    }
    if (options.top_p < 1) {
      const double needed = options.top_p * (taken ? candidates.Sums() : blocks.SumWeights(scale)).weights;
      if (!taken) candidates.TakeAround(blocks, 0, needed, scale);
      candidates.KeepLargest(needed);
      taken = true;
    }
    if (options.min_p > 0) {
      const auto reach = static_cast<float>(std::log(options.min_p)) / scale;
      if (!taken) candidates.Take(blocks, blocks.largest() + reach, kInfinity, scale);
      candidates.KeepHeavy(options.min_p);
      taken = true;
    }
    if (options.typical_p < 1) {
      // The mean of -log(p) is log(sum) - mean(x). A token is far from it if x is far from mean(x).
      const ExpSums sums = taken ? candidates.Sums() : blocks.SumWeights(scale);
      const double mean = sums.weighted / sums.weights;
      const double needed = options.typical_p * sums.weights;
      if (!taken) candidates.TakeAround(blocks, mean, needed, scale);
      candidates.KeepNearest(mean, needed);
      taken = true;
    }
    return taken;
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
  if (impl.Filter()) return impl.candidates.Draw(part);
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
  if (!impl.Filter()) candidates.Take(impl.blocks, std::numeric_limits<float>::lowest(), kInfinity, impl.scale);
  const double total = candidates.Sums().weights;
  std::vector<ScoredToken> distribution;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto weight = static_cast<double>(candidates.weight(i));
    if (weight > 0) distribution.push_back({candidates.token(i), weight / total});
  }
  return distribution;
}

}  // namespace kuiper_infer::text

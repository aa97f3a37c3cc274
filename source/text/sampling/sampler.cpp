// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/random_numbers.hpp"
#include "text/sampling/sampling_checks.hpp"
#include "text/sampling/token_counts.hpp"
#include "text/sampling/token_filter.hpp"

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kLeastTemperature = 1e-6;  ///< below it the most probable token has all of the probability

}  // namespace

struct Sampler::Impl {
  Impl(const SamplingOptions& given, int64_t size)
      : options(given),
        vocabulary(size),
        greedy(given.temperature < kLeastTemperature),
        counts(size),
        filter{options, greedy ? 1 : static_cast<float>(1 / given.temperature)} {
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

  const SamplingOptions options;
  const int64_t vocabulary;
  const bool greedy;
  TokenCounts counts;
  uint64_t length = 0;  ///< tokens of the answer
  bool penalised = false;
  std::vector<float> adjusted;
  TokenFilter filter;
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
  TokenFilter& filter = impl_->filter;
  filter.blocks.Set(impl_->Adjusted(logits), impl_->vocabulary);
  if (impl_->greedy) {
    filter.candidates.Take(filter.blocks, filter.blocks.largest(), kInfinity, filter.scale);
    return filter.candidates.token(0);
  }
  const double part = RandomNumber(impl_->options.seed, impl_->length);
  switch (filter.Apply()) {
    case Left::kNearest:
      return filter.nearest.Draw(part);
    case Left::kCandidates:
      return filter.candidates.Draw(part);
    case Left::kAll:
      break;
  }
  filter.blocks.SumWeights(filter.scale);
  return filter.blocks.Draw(filter.scale, part);
}

double Sampler::Margin() {
  LogitBlocks& blocks = impl_->filter.blocks;
  if (blocks.count() < 2) return std::numeric_limits<double>::infinity();
  return static_cast<double>(blocks.largest()) - static_cast<double>(blocks.KthLargest(2));
}

std::vector<ScoredToken> Sampler::Distribution(const float* logits) {
  TokenFilter& filter = impl_->filter;
  filter.blocks.Set(impl_->Adjusted(logits), impl_->vocabulary);
  Candidates& candidates = filter.candidates;
  if (impl_->greedy) {
    candidates.Take(filter.blocks, filter.blocks.largest(), kInfinity, filter.scale);
    return {{candidates.token(0), 1}};
  }
  if (filter.Listed(filter.Apply()) == Left::kAll) {
    candidates.Take(filter.blocks, std::numeric_limits<float>::lowest(), kInfinity, filter.scale);
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

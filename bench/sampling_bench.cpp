// SPDX-License-Identifier: MIT
// The choice of a token from the logits of a large vocabulary, by each filter alone.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "kuiper_infer/text/sampling.hpp"

namespace kuiper_infer::bench {
namespace {

constexpr int64_t kVocabulary = 150000;

/// Logits of the given distribution, the same in every run. A peaked distribution is a normal one with few tokens far
/// above it, as language models give it.
std::vector<float> Logits(const std::string& distribution) {
  std::mt19937 generator(42);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> logits(kVocabulary);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (distribution == "Equal") logits[i] = 1;
    if (distribution == "Flat") logits[i] = uniform(generator);
    if (distribution == "Normal") logits[i] = normal(generator);
    if (distribution == "Normal3") logits[i] = 3 * normal(generator);
    if (distribution == "Peaked") logits[i] = 2 * normal(generator) + (i % 7919 == 0 ? 18.0F : 0.0F);
  }
  return logits;
}

void RunSample(benchmark::State& state, const std::string& distribution, text::SamplingOptions options) {
  const std::vector<float> logits = Logits(distribution);
  options.temperature = 1;
  text::Sampler sampler(options, kVocabulary);
  for (auto _ : state) {
    const int64_t token = sampler.Sample(logits.data());
    benchmark::DoNotOptimize(token);
    sampler.Add(token);  // the next choice has another random number
  }
}

void RegisterAll(double /*ceiling*/) {
  using text::SamplingOptions;
  const auto add = [](const std::string& name, const std::function<void(SamplingOptions&)>& set) {
    SamplingOptions options;
    set(options);
    for (const char* distribution : {"Equal", "Flat", "Normal", "Normal3", "Peaked"}) {
      benchmark::RegisterBenchmark((name + "/" + distribution).c_str(), RunSample, distribution, options)
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
    }
  };
  add("All", [](SamplingOptions& /*options*/) {});
  add("TopK", [](SamplingOptions& options) { options.top_k = 50; });
  add("TopP", [](SamplingOptions& options) { options.top_p = 0.9; });
  add("TopP999", [](SamplingOptions& options) { options.top_p = 0.999; });
  add("MinP", [](SamplingOptions& options) { options.min_p = 0.05; });
  add("Typical", [](SamplingOptions& options) { options.typical_p = 0.9; });
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}

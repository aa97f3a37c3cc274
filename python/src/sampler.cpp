// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {
namespace {

using Logits = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scored = std::vector<std::pair<int64_t, double>>;

Scored PairsOf(const std::vector<text::ScoredToken>& tokens) {
  Scored pairs;
  pairs.reserve(tokens.size());
  for (const text::ScoredToken& token : tokens) pairs.emplace_back(token.token, token.score);
  return pairs;
}

/// A sampler that knows how many logits it reads.
struct SizedSampler {
  text::Sampler sampler;
  int64_t vocabulary;

  const float* Checked(const Logits& logits) const {
    if (static_cast<int64_t>(logits.size()) == vocabulary) return logits.data();
    throw Error(ErrorCode::kShape, "logits are " + std::to_string(logits.size()) + " numbers, expected " +
                                       std::to_string(vocabulary) + ", the size of the vocabulary");
  }

  int64_t Sample(const Logits& logits) {
    const float* const values = Checked(logits);
    const nb::gil_scoped_release release;
    return sampler.Sample(values);
  }

  Scored Distribution(const Logits& logits) {
    const float* const values = Checked(logits);
    const nb::gil_scoped_release release;
    return PairsOf(sampler.Distribution(values));
  }
};

std::pair<double, Scored> LogProbabilities(const Logits& logits, int64_t token, int64_t count) {
  const auto vocabulary = static_cast<int64_t>(logits.size());
  const float* const values = logits.data();
  const nb::gil_scoped_release release;
  const text::LogProbabilities found = text::LogProbabilitiesOf(values, vocabulary, token, count);
  return {found.chosen, PairsOf(found.best)};
}

}  // namespace

void AddSampler(nb::module_& module) {
  nb::class_<SizedSampler>(module, "Sampler")
      .def(
          "__init__",
          [](SizedSampler* self, int64_t vocabulary, const std::map<int64_t, float>& logit_bias,
             double repetition_penalty, double frequency_penalty, double presence_penalty, double temperature,
             int64_t top_k, double top_p, double min_p, double typical_p, uint64_t seed) {
            text::SamplingOptions options;
            options.logit_bias = logit_bias;
            options.repetition_penalty = repetition_penalty;
            options.frequency_penalty = frequency_penalty;
            options.presence_penalty = presence_penalty;
            options.temperature = temperature;
            options.top_k = top_k;
            options.top_p = top_p;
            options.min_p = min_p;
            options.typical_p = typical_p;
            options.seed = seed;
            new (self) SizedSampler{text::Sampler(options, vocabulary), vocabulary};
          },
          nb::arg("vocabulary"), nb::kw_only(), nb::arg("logit_bias"), nb::arg("repetition_penalty"),
          nb::arg("frequency_penalty"), nb::arg("presence_penalty"), nb::arg("temperature"), nb::arg("top_k"),
          nb::arg("top_p"), nb::arg("min_p"), nb::arg("typical_p"), nb::arg("seed"))
      .def(
          "add_prompt", [](SizedSampler& self, const std::vector<int64_t>& tokens) { self.sampler.AddPrompt(tokens); },
          nb::arg("tokens"))
      .def(
          "add", [](SizedSampler& self, int64_t token) { self.sampler.Add(token); }, nb::arg("token"))
      .def("sample", &SizedSampler::Sample, nb::arg("logits"))
      .def("distribution", &SizedSampler::Distribution, nb::arg("logits"));
  module.def("log_probabilities", &LogProbabilities, nb::arg("logits"), nb::arg("token"), nb::arg("count"));
}

}  // namespace kuiper_infer::python

// SPDX-License-Identifier: MIT
#include "quantization/search/layer_search.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace kuiper_infer::quantization {
namespace {

/// With more layers than this, building and running a model for each layer takes too long. The error in a layer's own
/// output, which one pass gives for all layers, then stands for the error in the model's outputs.
constexpr std::size_t kMostAlone = 150;
constexpr std::size_t kSamplesAlone = 8;
/// The number of times that times are measured. A layer that returns to float changes what its neighbours read and
/// write, so their times change.
constexpr int kTimingRounds = 3;

/// Signal-to-noise ratios by layer.
using Errors = std::map<std::string, double>;
/// The ratio for outputs that hold only zeros, with and without the rounding.
constexpr double kExact = std::numeric_limits<double>::infinity();

std::string HurtReason(double decibels, bool alone) {
  char text[96];
  std::snprintf(text, sizeof(text),
                alone ? "rounded alone it leaves the outputs %.1f dB" : "the gate; its output has %.1f dB", decibels);
  return text;
}

Errors ErrorsAlone(const SearchContext& context, const std::set<std::string>& layers) {
  const Samples few = SomeOf(context.samples, kSamplesAlone);
  RuntimeGraph wanted = context.model.Build(context.model.Load());
  Errors errors;
  for (const std::string& layer : layers) {
    RuntimeGraph found = context.model.Build(context.MakeAlone(layer, layers).graph);
    const Progress silent = [](const std::string&, std::size_t, std::size_t) {};
    errors[layer] = CompareOutputs(wanted, found, few, std::nullopt, silent).decibels.value_or(kExact);
    context.progress("layers alone", errors.size(), layers.size());
  }
  return errors;
}

/// The times of the float model and of the one with these layers quantised.
Times TimesOf(const SearchContext& context, const std::set<std::string>& layers) {
  RuntimeGraph float_graph = context.model.Build(context.model.Load());
  Candidate candidate = context.Make(layers);
  RuntimeGraph candidate_graph = context.model.Build(std::move(candidate.graph));
  return CompareTimes(float_graph, candidate, candidate_graph, context.samples);
}

}  // namespace

void LayerSets::Keep(const std::string& layer, const std::string& reason) {
  rounded.erase(layer);
  kept[layer] = reason;
}

Candidate SearchContext::Make(const std::set<std::string>& layers) const {
  return MakeCandidate(model, layers, layers, calibration);
}

Candidate SearchContext::MakeAlone(const std::string& layer, const std::set<std::string>& layers) const {
  return MakeCandidate(model, {layer}, layers, calibration);
}

std::string SlowReason(const LayerTime& time, bool integers) {
  if (!integers) return "not computed in integers on this CPU";
  if (time.after < time.before) return "";
  char text[96];
  std::snprintf(text, sizeof(text), "not faster: %.4f ms in int8, %.4f ms in float", time.after, time.before);
  return text;
}

bool KeepSlowLayers(const SearchContext& context, LayerSets& layers) {
  for (int round = 0; round < kTimingRounds; ++round) {
    const Times times = TimesOf(context, layers.rounded);
    if (times.integers.empty()) return round > 0;
    const std::set<std::string> tried = layers.rounded;
    for (const std::string& layer : tried) {
      const LayerTime* const time = times.Find(layer);
      const std::string reason = time == nullptr ? "" : SlowReason(*time, times.integers.count(layer) != 0);
      if (!reason.empty()) layers.Keep(layer, reason);
    }
    context.progress("times", static_cast<std::size_t>(round) + 1, kTimingRounds);
    if (layers.rounded.size() == tried.size()) break;
  }
  return true;
}

double KeepWorstLayers(const SearchContext& context, const Gate& gate,
                       const std::map<std::string, LayerError>& own_errors, LayerSets& layers) {
  double measured = gate.measure(context.Make(layers.rounded).graph);
  if (gate.Holds(measured)) return measured;
  const bool alone = layers.rounded.size() <= kMostAlone;
  Errors errors;
  if (alone) errors = ErrorsAlone(context, layers.rounded);
  if (!alone) {
    for (const auto& [layer, error] : own_errors) errors[layer] = error.decibels.value_or(kExact);
  }
  std::vector<std::string> worst_first(layers.rounded.begin(), layers.rounded.end());
  std::stable_sort(worst_first.begin(), worst_first.end(), [&](const std::string& left, const std::string& right) {
    return errors.at(left) < errors.at(right);
  });
  const auto after = [&](std::size_t kept) {
    return gate.measure(context.Make({worst_first.begin() + static_cast<int64_t>(kept), worst_first.end()}).graph);
  };
  std::size_t fails = 0;
  std::size_t holds = worst_first.size();
  while (holds - fails > 1) {
    const std::size_t kept = (fails + holds) / 2;
    const double found = after(kept);
    (gate.Holds(found) ? holds : fails) = kept;
    if (gate.Holds(found)) measured = found;
    context.progress("gate: layers in float at most", holds, worst_first.size());
  }
  if (holds == worst_first.size()) measured = after(holds);
  for (std::size_t i = 0; i < holds; ++i) layers.Keep(worst_first[i], HurtReason(errors.at(worst_first[i]), alone));
  return measured;
}

}  // namespace kuiper_infer::quantization

// SPDX-License-Identifier: MIT
#include "quantization/search/layer_times.hpp"

#include <algorithm>

namespace kuiper_infer::quantization {
namespace {

constexpr int kRounds = 3;
constexpr int kRunsOfRound = 5;

void KeepFaster(Steps& fastest, const Steps& steps) {
  if (fastest.empty()) fastest = steps;
  for (std::size_t i = 0; i < std::min(fastest.size(), steps.size()); ++i) {
    fastest[i].seconds = std::min(fastest[i].seconds, steps[i].seconds);
  }
}

/// Milliseconds by operator; a copy that brings an array into the layout that an operator wants counts as its own.
std::map<std::string, double> ByOperator(const Steps& steps) {
  std::map<std::string, double> times;
  for (const auto& step : steps) times[step.name] += 1e3 * step.seconds;
  return times;
}

}  // namespace

std::map<std::string, std::string> ChainsOf(const Steps& float_steps, const Steps& candidate_steps) {
  std::set<std::string> known;
  for (const auto& step : float_steps) known.insert(step.name);
  std::map<std::string, std::string> chains;
  std::vector<std::string> waiting;
  for (const auto& step : candidate_steps) {
    if (step.type.rfind("nn.Conv", 0) != 0) continue;
    if (known.count(step.name) == 0) {
      waiting.push_back(step.name);
      continue;
    }
    for (const std::string& layer : waiting) chains[layer] = step.name;
    waiting.clear();
  }
  return chains;
}

const LayerTime* Times::Find(const std::string& layer) const {
  const auto chain = chained_to.find(layer);
  const auto found = layers.find(chain != chained_to.end() ? chain->second : layer);
  return found != layers.end() ? &found->second : nullptr;
}

Times CompareTimes(RuntimeGraph& float_graph, const Candidate& candidate, RuntimeGraph& candidate_graph,
                   const Samples& samples) {
  RunSample(float_graph, samples, 0);
  RunSample(candidate_graph, samples, 0);
  Steps float_steps;
  Steps candidate_steps;
  for (int round = 0; round < kRounds; ++round) {
    KeepFaster(float_steps, MeasureSteps(float_graph, kRunsOfRound));
    KeepFaster(candidate_steps, MeasureSteps(candidate_graph, kRunsOfRound));
  }
  Times times;
  times.before = 1e3 * TotalSeconds(float_steps);
  times.after = 1e3 * TotalSeconds(candidate_steps);
  const std::map<std::string, double> before = ByOperator(float_steps);
  const std::map<std::string, double> after = ByOperator(candidate_steps);

  std::vector<double> rounding(candidate.plan.grids.size(), 0.0);
  for (const auto& [name, grid] : candidate.grid_of_rounding) {
    if (const auto found = after.find(name); found != after.end()) rounding[grid] += found->second;
  }
  std::vector<int> readers(candidate.plan.grids.size(), 0);
  for (const auto& [layer, grid] : candidate.plan.grid_of) ++readers[grid];
  times.chained_to = ChainsOf(float_steps, candidate_steps);
  for (const auto& [name, milliseconds] : after) {
    const auto chain = times.chained_to.find(name);
    const std::string& owner = chain != times.chained_to.end() ? chain->second : name;
    if (before.count(owner) == 0) continue;
    LayerTime& time = times.layers[owner];
    time.before = before.at(owner);
    time.after += milliseconds;
    const auto grid = candidate.plan.grid_of.find(name);
    if (grid != candidate.plan.grid_of.end()) time.after += rounding[grid->second] / readers[grid->second];
  }
  for (const auto& step : candidate_steps) {
    if (step.method.find("int8") != std::string::npos) times.integers.insert(step.name);
  }
  return times;
}

}  // namespace kuiper_infer::quantization

// SPDX-License-Identifier: MIT
#include "ctc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demos {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log(e^a + e^b).
double AddLogs(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

std::vector<std::size_t> ReadGreedily(const CtcColumns& line) {
  std::vector<std::size_t> labels;
  std::size_t previous = 0;
  for (std::size_t t = 0; t < line.columns; ++t) {
    const float* column = line.log_probabilities + t * line.classes;
    const auto best = static_cast<std::size_t>(std::max_element(column, column + line.classes) - column);
    if (best != 0 && best != previous) labels.push_back(best);
    previous = best;
  }
  return labels;
}

double LogProbability(const CtcColumns& line, const std::vector<std::size_t>& labels) {
  // The states are blank, label, blank, label, ..., blank. From one column to the next a path stays in its state, goes
  // to the next state, or skips a blank between two different labels.
  std::vector<std::size_t> states(2 * labels.size() + 1, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) states[2 * i + 1] = labels[i];
  std::vector<double> reached(states.size(), kImpossible);
  reached[0] = 0;  // before the first column; a way may begin with the first label, too
  for (std::size_t t = 0; t < line.columns; ++t) {
    for (std::size_t s = states.size(); s-- > 0;) {
      double sum = reached[s];
      if (t == 0) sum = s <= 1 ? 0 : kImpossible;
      if (t > 0 && s >= 1) sum = AddLogs(sum, reached[s - 1]);
      if (t > 0 && s >= 3 && states[s] != 0 && states[s] != states[s - 2]) sum = AddLogs(sum, reached[s - 2]);
      reached[s] = sum + line.At(t, states[s]);
    }
  }
  return labels.empty() ? reached.back() : AddLogs(reached.back(), reached[reached.size() - 2]);
}

}  // namespace demos

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace demos {

/// The output of a network trained with CTC: for each column of a line the logarithms of the classes' probabilities,
/// row-major. Class 0 is the blank.
struct CtcColumns {
  const float* log_probabilities = nullptr;
  std::size_t columns = 0;
  std::size_t classes = 0;

  float At(std::size_t column, std::size_t label) const { return log_probabilities[column * classes + label]; }
};

/// The most probable class of each column, without repeats and blanks.
std::vector<std::size_t> ReadGreedily(const CtcColumns& line);

/// The logarithm of the probability of these labels: the sum over all paths that write them over the columns, with
/// repeats and blanks. Minus infinity if there is no path.
double LogProbability(const CtcColumns& line, const std::vector<std::size_t>& labels);

}  // namespace demos

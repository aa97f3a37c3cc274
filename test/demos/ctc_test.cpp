// SPDX-License-Identifier: MIT
#include "ctc.hpp"

#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace demos {
namespace {

using Labels = std::vector<std::size_t>;

/// Removes repeats and blanks from the classes of the columns.
Labels Collapse(const Labels& path) {
  Labels labels;
  std::size_t previous = 0;
  for (const std::size_t label : path) {
    if (label != 0 && label != previous) labels.push_back(label);
    previous = label;
  }
  return labels;
}

/// Returns the probabilities of all readings, summed over all ways to give each column a class.
std::map<Labels, double> AllReadings(const CtcColumns& line) {
  std::map<Labels, double> readings;
  std::size_t paths = 1;
  for (std::size_t t = 0; t < line.columns; ++t) paths *= line.classes;
  for (std::size_t number = 0; number < paths; ++number) {
    Labels path(line.columns);
    double log_probability = 0;
    std::size_t rest = number;
    for (std::size_t t = 0; t < line.columns; ++t, rest /= line.classes) {
      path[t] = rest % line.classes;
      log_probability += line.At(t, path[t]);
    }
    readings[Collapse(path)] += std::exp(log_probability);
  }
  return readings;
}

TEST(CtcTest, ProbabilitiesAreThoseOfAllWays) {
  constexpr std::size_t kColumns = 6;
  constexpr std::size_t kClasses = 3;
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> weight(0.1F, 1.0F);
  std::vector<float> values(kColumns * kClasses);
  for (std::size_t t = 0; t < kColumns; ++t) {
    float sum = 0;
    for (std::size_t c = 0; c < kClasses; ++c) sum += values[t * kClasses + c] = weight(generator);
    for (std::size_t c = 0; c < kClasses; ++c) values[t * kClasses + c] = std::log(values[t * kClasses + c] / sum);
  }
  const CtcColumns line{values.data(), kColumns, kClasses};
  const std::map<Labels, double> readings = AllReadings(line);
  double all = 0;
  for (const auto& [labels, probability] : readings) {
    EXPECT_NEAR(std::exp(LogProbability(line, labels)), probability, 1e-6) << labels.size() << " labels";
    all += probability;
  }
  EXPECT_NEAR(all, 1, 1e-5);
  EXPECT_EQ(readings.count(ReadGreedily(line)), 1U);
}

TEST(CtcTest, ReadsTheBestClasses) {
  // The best classes are blank, a, a, blank, a, b.
  const std::vector<float> values = {0, -9, -9, -9, 0, -9, -9, 0, -9, 0, -9, -9, -9, 0, -9, -9, -9, 0};
  const CtcColumns line{values.data(), 6, 3};
  EXPECT_EQ(ReadGreedily(line), (Labels{1, 1, 2}));
  EXPECT_EQ(LogProbability(line, Labels(7, 1)), -INFINITY) << "seven labels in six columns";
  EXPECT_EQ(LogProbability({values.data(), 1, 3}, {1, 1}), -INFINITY);
  EXPECT_EQ(ReadGreedily({values.data(), 0, 3}), Labels{});
}

}  // namespace
}  // namespace demos

// SPDX-License-Identifier: MIT
#include "kernel/reduction/histogram.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

using testing::ElementsAre;

const float kNaN = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

TEST(Histogram, TheLastBinIncludesItsEndAndNothingOutsideCounts) {
  const std::vector<float> values = {0, 0.5F, 1, 1.5F, 2, -0.1F, 2.1F, kNaN, kInfinity};
  std::vector<float> counts(2);
  CountInBins<float>({0, 2}, 2, values.data(), nullptr, 9, counts.data());
  EXPECT_THAT(counts, ElementsAre(2, 3));
}

TEST(Histogram, WeightsAddUp) {
  const std::vector<double> values = {0.5, 1.5, 1.6};
  const std::vector<double> weights = {2, 3, 4};
  std::vector<double> counts(2);
  CountInBins<double>({0, 2}, 2, values.data(), weights.data(), 3, counts.data());
  EXPECT_THAT(counts, ElementsAre(2, 7));
}

TEST(Histogram, EdgesOfAnyWidth) {
  const std::vector<double> edges = {0, 1, 10, 100};
  const std::vector<double> values = {0, 1, 9.99, 10, 100, 101, -1};
  std::vector<double> counts(3);
  CountBetween<double>(edges.data(), 3, values.data(), nullptr, 7, counts.data());
  EXPECT_THAT(counts, ElementsAre(1, 2, 2));
  Normalize<double>(edges.data(), 3, counts.data());
  EXPECT_NEAR(counts[0] * 1 + counts[1] * 9 + counts[2] * 90, 1, 1e-12);
}

TEST(Histogram, RangeOfTheValuesWhereNoneIsGiven) {
  const std::vector<float> values = {3, -1, 2};
  const Interval found = HistogramRange<float>({0, 0}, values.data(), 3);
  EXPECT_EQ(found.low, -1);
  EXPECT_EQ(found.high, 3);
  const Interval widened = HistogramRange<float>({0, 0}, values.data(), 1);
  EXPECT_EQ(widened.low, 2);
  EXPECT_EQ(widened.high, 4);
  std::vector<float> edges(3);
  EqualEdges<float>(found, 2, edges.data());
  EXPECT_THAT(edges, ElementsAre(-1, 1, 3));
}

TEST(Histogram, EndlessRangeIsRefused) {
  const std::vector<float> values = {3, kInfinity};
  EXPECT_THROW(HistogramRange<float>({0, 0}, values.data(), 2), Error);
}

}  // namespace
}  // namespace kuiper_infer::kernel

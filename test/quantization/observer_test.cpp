// SPDX-License-Identifier: MIT
#include "quantization/observation/observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::quantization {
namespace {

using kernel::QuantizationGrid;

constexpr unsigned kSeed = 1907;

NdArray ArrayOf(const std::vector<float>& values) {
  return NdArray::View(values.data(), {static_cast<int64_t>(values.size())});
}

Histogram HistogramOf(const std::vector<float>& values) {
  Extremes range;
  range.Add(ArrayOf(values));
  Histogram histogram(range);
  histogram.Add(ArrayOf(values));
  return histogram;
}

/// Returns normal numbers with a few outliers on one side.
std::vector<float> Numbers(bool positive, int outliers) {
  std::mt19937 generator(kSeed);
  std::normal_distribution<float> bell;
  std::vector<float> values(20000);
  for (float& value : values) value = positive ? std::max(0.0F, bell(generator)) : bell(generator);
  for (int i = 0; i < outliers; ++i) values[i] = 30.0F + static_cast<float>(i);
  return values;
}

double Round(const QuantizationGrid& grid, double value) {
  const double q = std::clamp(std::nearbyint(value / static_cast<double>(grid.scale)) + grid.zero_point, 0.0, 255.0);
  return (q - grid.zero_point) * static_cast<double>(grid.scale);
}

double SquaredError(const std::vector<float>& values, const QuantizationGrid& grid) {
  double sum = 0;
  for (const float value : values) {
    const double error = static_cast<double>(value) - Round(grid, static_cast<double>(value));
    sum += error * error;
  }
  return sum;
}

double Highest(const QuantizationGrid& grid) { return (255 - grid.zero_point) * static_cast<double>(grid.scale); }
double Lowest(const QuantizationGrid& grid) { return -grid.zero_point * static_cast<double>(grid.scale); }

TEST(ExtremesTest, LeaveOutWhatIsNotFinite) {
  const float infinite = std::numeric_limits<float>::infinity();
  Extremes range;
  range.Add(ArrayOf({3, -2, infinite, -infinite, std::nanf("")}));
  EXPECT_EQ(range.lowest, -2);
  EXPECT_EQ(range.highest, 3);
  Extremes positive;
  positive.Add(ArrayOf({5, 7}));
  EXPECT_EQ(positive.lowest, 0) << "zero is always inside";
}

TEST(HistogramTest, CountsAsPlainCodeDoes) {
  const std::vector<float> values = Numbers(false, 3);
  const Histogram histogram = HistogramOf(values);
  const double low = histogram.range().lowest;
  const double width = (histogram.range().highest - low) / Histogram::kBins;
  std::vector<double> wanted(Histogram::kBins, 0);
  for (const float value : values) {
    const auto bin = static_cast<int>((static_cast<double>(value) - low) / width);
    ++wanted[std::min(bin, Histogram::kBins - 1)];
  }
  for (int bin = 0; bin < Histogram::kBins; ++bin) ASSERT_EQ(histogram.count(bin), wanted[bin]) << bin;
  EXPECT_EQ(histogram.total(), static_cast<double>(values.size()));
}

TEST(HistogramTest, LeavesOutZerosAndWhatIsNotFinite) {
  Histogram histogram(Extremes{-1, 1});
  histogram.Add(ArrayOf({0, -0.0F, 0.5F, std::numeric_limits<float>::infinity(), std::nanf(""), 2}));
  EXPECT_EQ(histogram.total(), 2);
  EXPECT_EQ(histogram.count(Histogram::kBins - 1), 1) << "what lies outside goes to the end";
}

TEST(HistogramTest, AddsOthersBinByBin) {
  const std::vector<float> values = Numbers(true, 0);
  const Histogram small = HistogramOf(values);
  Histogram large(Extremes{-3, 2 * small.range().highest});
  large.Add(small);
  EXPECT_EQ(large.total(), small.total());
  double mean = 0;
  double wanted = 0;
  for (int bin = 0; bin < Histogram::kBins; ++bin) {
    mean += large.count(bin) * large.Center(bin) / large.total();
    wanted += small.count(bin) * small.Center(bin) / small.total();
  }
  EXPECT_NEAR(mean, wanted, 1e-3);
}

TEST(ObserverTest, GridsHoldZeroAndTheRange) {
  struct Case {
    double lowest, highest;
  };
  for (const Case& c : {Case{-1, 1}, Case{0, 6}, Case{-0.278, 20}, Case{2, 5}, Case{-5, -2}, Case{-1e-3, 1e4}}) {
    SCOPED_TRACE(testing::Message() << c.lowest << " to " << c.highest);
    const QuantizationGrid grid = GridOver(c.lowest, c.highest);
    EXPECT_GE(grid.zero_point, 0);
    EXPECT_LE(grid.zero_point, 255);
    const double step = static_cast<double>(grid.scale);
    EXPECT_NEAR(step, (std::max(c.highest, 0.0) - std::min(c.lowest, 0.0)) / 255, 1e-6 * step);
    EXPECT_LE(Lowest(grid), std::min(c.lowest, 0.0) + step / 2 * 1.0001);
    EXPECT_GE(Highest(grid), std::max(c.highest, 0.0) - step / 2 * 1.0001);
  }
}

TEST(ObserverTest, NothingButZeroHasScaleOne) {
  for (const ObserverKind kind :
       {ObserverKind::kMinMax, ObserverKind::kPercentile, ObserverKind::kKl, ObserverKind::kMse}) {
    const QuantizationGrid grid = ChooseGrid(HistogramOf({0, 0, std::nanf("")}), {kind});
    EXPECT_EQ(grid.scale, 1);
    EXPECT_EQ(grid.zero_point, 0);
  }
  EXPECT_EQ(GridOver(0, 1e-44).scale, 1) << "steps would be zero";
}

TEST(ObserverTest, MinMaxTakesAllNumbers) {
  const std::vector<float> values = Numbers(false, 3);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const QuantizationGrid grid = ChooseGrid(HistogramOf(values), {ObserverKind::kMinMax});
  EXPECT_NEAR(static_cast<double>(grid.scale), static_cast<double>(*high - *low) / 255, 1e-7);
  EXPECT_EQ(grid.zero_point, std::lround(-*low / grid.scale));
}

TEST(ObserverTest, PercentileTakesTheSortedNumbersInside) {
  std::vector<float> values = Numbers(false, 15);
  const QuantizationGrid grid = ChooseGrid(HistogramOf(values), {ObserverKind::kPercentile, 99.9});
  std::sort(values.begin(), values.end());
  const std::size_t left_out = values.size() / 1000;
  const double bin = static_cast<double>(values.back() - values.front()) / Histogram::kBins;
  const double tolerance = bin + static_cast<double>(grid.scale) / 2;
  EXPECT_NEAR(Lowest(grid), static_cast<double>(values[left_out]), tolerance);
  EXPECT_NEAR(Highest(grid), static_cast<double>(values[values.size() - 1 - left_out]), tolerance);
  EXPECT_LT(Highest(grid), 10) << "the outliers";
}

/// Returns the least error of all ranges whose ends are multiples of a sixteenth of the numbers' range.
double BestOfMany(const Histogram& histogram, const std::function<double(const QuantizationGrid&)>& loss) {
  double best = std::numeric_limits<double>::infinity();
  for (int low = 0; low <= 16; ++low) {
    for (int high = 0; high <= 16; ++high) {
      if (low + high == 0) continue;
      best = std::min(best, loss(GridOver(histogram.range().lowest * low / 16, histogram.range().highest * high / 16)));
    }
  }
  return best;
}

TEST(ObserverTest, LeastSquaresBeatsAllRangesOfAGrid) {
  for (const bool positive : {false, true}) {
    for (const int outliers : {0, 1, 20}) {
      SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", positive " << positive << ", outliers " << outliers);
      const std::vector<float> values = Numbers(positive, outliers);
      const Histogram histogram = HistogramOf(values);
      const auto loss = [&](const QuantizationGrid& grid) { return SquaredError(values, grid); };
      EXPECT_LE(loss(ChooseGrid(histogram, {ObserverKind::kMse})), 1.05 * BestOfMany(histogram, loss));
    }
  }
}

/// The divergence of the paper over the histogram's bins, written for readability.
double Divergence(const Histogram& histogram, const QuantizationGrid& grid) {
  std::vector<int> inside;
  for (int bin = 0; bin < Histogram::kBins; ++bin) {
    const double q = std::nearbyint(histogram.Center(bin) / static_cast<double>(grid.scale)) + grid.zero_point;
    if (q >= 0 && q <= 255) inside.push_back(bin);
  }
  std::vector<double> p;
  for (const int bin : inside) p.push_back(histogram.count(bin));
  for (int bin = 0; bin < inside.front(); ++bin) p.front() += histogram.count(bin);
  for (int bin = inside.back() + 1; bin < Histogram::kBins; ++bin) p.back() += histogram.count(bin);
  const auto level = [&](std::size_t i) { return Round(grid, histogram.Center(inside[i])); };
  double kept = 0;
  for (const int bin : inside) kept += histogram.count(bin);
  double divergence = 0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (p[i] == 0) continue;
    double mass = 0;
    double bins = 0;
    for (std::size_t k = 0; k < inside.size(); ++k) {
      if (level(k) != level(i) || p[k] == 0) continue;
      mass += histogram.count(inside[k]);
      ++bins;
    }
    if (mass == 0) return std::numeric_limits<double>::infinity();
    divergence += p[i] / histogram.total() * std::log(p[i] / histogram.total() / (mass / bins / kept));
  }
  return divergence;
}

TEST(ObserverTest, LeastDivergenceBeatsTheWholeRangeAndItsNeighbours) {
  const Histogram histogram = HistogramOf(Numbers(true, 20));
  const QuantizationGrid chosen = ChooseGrid(histogram, {ObserverKind::kKl});
  const double least = Divergence(histogram, chosen);
  EXPECT_LT(least, Divergence(histogram, GridOver(histogram.range().lowest, histogram.range().highest)));
  for (int part = 4; part <= 64; part += 4) {
    const QuantizationGrid other = GridOver(histogram.range().lowest, histogram.range().highest * part / 64);
    EXPECT_LE(least, Divergence(histogram, other) * (1 + 1e-9)) << part;
  }
  EXPECT_LT(Highest(chosen), 20) << "a few numbers above 30 are not worth coarse steps for 20,000";
}

TEST(ObserverTest, NamesAreKnown) {
  EXPECT_THAT(ObserverNames(), testing::ElementsAre("minmax", "percentile", "kl", "mse"));
  EXPECT_EQ(ObserverOf("kl"), ObserverKind::kKl);
  EXPECT_THROW(ObserverOf("KL"), Error);
}

}  // namespace
}  // namespace kuiper_infer::quantization

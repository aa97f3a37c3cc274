// SPDX-License-Identifier: MIT
#include "kernel/sorting/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/reduction/distance.hpp"

namespace kuiper_infer::kernel {
namespace {

class Seeded : public testing::TestWithParam<unsigned> {
 protected:
  std::vector<double> Numbers(int64_t count) {
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (double& x : numbers) x = std::round(std::normal_distribution<>(0, 3)(random_) * 4) / 4;
    return numbers;
  }
  int64_t Extent(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random_); }

  std::mt19937 random_{GetParam()};
};

using SearchSortedTest = Seeded;
TEST_P(SearchSortedTest, CountsTheElementsInFront) {
  const int64_t length = Extent(0, 20);
  const std::vector<double> unsorted = Numbers(length);
  const std::vector<double> values = Numbers(30);
  std::vector<int64_t> order(unsorted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return unsorted[a] < unsorted[b]; });
  for (const bool right : {false, true}) {
    std::vector<int64_t> positions(30);
    SearchSorted(unsorted.data(), order.data(), length, values.data(), 30, right, positions.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto before = std::count_if(unsorted.begin(), unsorted.end(),
                                        [&](double x) { return right ? x <= values[i] : x < values[i]; });
      EXPECT_EQ(positions[i], before) << "seed " << GetParam() << ", value " << values[i];
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Generated, SearchSortedTest, testing::Range(0U, 20U));

using QuantileTest = Seeded;
TEST_P(QuantileTest, LiesBetweenNeighbours) {
  const int64_t length = Extent(1, 9);
  const AxisGeometry geometry{2, length, 3};
  std::vector<double> lines;
  for (int64_t outer = 0; outer < 2; ++outer) {
    std::vector<double> columns[3];
    for (auto& column : columns) {
      column = Numbers(length);
      std::sort(column.begin(), column.end());
    }
    for (int64_t i = 0; i < length; ++i) {
      for (const auto& column : columns) lines.push_back(column[static_cast<std::size_t>(i)]);
    }
  }
  const std::vector<double> q = {0, 0.3, 1};
  std::vector<double> out(18);
  Quantiles(geometry, lines.data(), q.data(), 3, QuantileRule::kLinear, false, out.data());
  for (int64_t k = 0; k < 3; ++k) {
    for (int64_t line = 0; line < 6; ++line) {
      const double place = q[static_cast<std::size_t>(k)] * static_cast<double>(length - 1);
      const auto at = [&](double i) {
        const int64_t index = line / 3 * length * 3 + static_cast<int64_t>(i) * 3 + line % 3;
        return lines[static_cast<std::size_t>(index)];
      };
      const double low = at(std::floor(place));
      const double expected = low + (at(std::ceil(place)) - low) * (place - std::floor(place));
      EXPECT_NEAR(out[static_cast<std::size_t>(k * 6 + line)], expected, 1e-12) << "seed " << GetParam();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Generated, QuantileTest, testing::Range(0U, 20U));

using DistanceTest = Seeded;

double DistanceOf(double p, const double* x, const double* y, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) {
    const double difference = std::abs(x[k] - y[k]);
    if (p == 0) {
      sum += difference != 0 ? 1 : 0;
    } else if (std::isinf(p)) {
      sum = std::max(sum, difference);
    } else {
      sum += std::pow(difference, p);
    }
  }
  return p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

TEST_P(DistanceTest, EqualsTheDefinition) {
  const bool large = GetParam() % 2 == 1;  // several tasks, and parts of tasks
  const int64_t rows = Extent(0, large ? 300 : 5);
  const int64_t width = Extent(0, large ? 150 : 40);
  for (const bool above_diagonal : {false, true}) {
    const int64_t columns = above_diagonal ? rows : Extent(0, large ? 200 : 5);
    const std::vector<double> x = Numbers(rows * width);
    const std::vector<double> y = above_diagonal ? x : Numbers(columns * width);
    const std::vector<float> x_float(x.begin(), x.end());
    const std::vector<float> y_float(y.begin(), y.end());
    for (const double p : {0.0, 0.5, 1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
      std::vector<double> out(static_cast<std::size_t>(rows * columns), -1);
      std::vector<float> out_float(out.size(), -1);
      Distances<double>({p, rows, columns, width, x.data(), y.data(), above_diagonal, out.data()});
      Distances<float>({p, rows, columns, width, x_float.data(), y_float.data(), above_diagonal, out_float.data()});
      std::size_t next = 0;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = above_diagonal ? i + 1 : 0; j < columns; ++j, ++next) {
          const double expected = DistanceOf(p, x.data() + i * width, y.data() + j * width, width);
          ASSERT_NEAR(out[next], expected, 1e-9 * (1 + expected)) << "seed " << GetParam() << ", p " << p;
          if (p < 1) continue;
          ASSERT_NEAR(out_float[next], expected, 1e-4 * (1 + expected)) << "seed " << GetParam() << ", p " << p;
        }
      }
      EXPECT_TRUE(
          std::all_of(out.begin() + static_cast<std::ptrdiff_t>(next), out.end(), [](double v) { return v == -1; }));
    }
  }
}

TEST(NanDistanceTest, IsNan) {
  for (const double p : {1.0, 2.0, std::numeric_limits<double>::infinity()}) {
    const std::vector<float> x = {1, std::numeric_limits<float>::quiet_NaN(), 2};
    const std::vector<float> y = {0, 0, 0};
    float out = 0;
    Distances<float>({p, 1, 1, 3, x.data(), y.data(), false, &out});
    EXPECT_TRUE(std::isnan(out)) << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, DistanceTest, testing::Range(0U, 20U));

}  // namespace
}  // namespace kuiper_infer::kernel

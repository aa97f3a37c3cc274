// SPDX-License-Identifier: MIT
#include "kernel/reduction/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;

/// A reduction of a strided array. Its axes lie in memory in the order `order`, outermost first, with gaps.
struct ReduceCase {
  Shape shape;
  std::vector<int64_t> order;
  std::vector<int64_t> axes;
  uint32_t seed;
};

std::vector<ReduceCase> GeneratedCases() {
  std::mt19937 generator(7);
  const auto pick = [&](std::vector<int64_t> items) { return items[generator() % items.size()]; };
  std::vector<ReduceCase> cases;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    ReduceCase c;
    c.seed = seed;
    const int64_t rank = static_cast<int64_t>(generator() % 5);
    for (int64_t axis = 0; axis < rank; ++axis) {
      c.shape.push_back(rank < 3 ? pick({1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 130}) : pick({1, 2, 3, 8, 17}));
      c.order.push_back(axis);
      if (generator() % 2 == 0) c.axes.push_back(axis);
    }
    std::shuffle(c.order.begin(), c.order.end(), generator);
    cases.push_back(c);
  }
  // Adds an empty result, an empty sum, and enough work for several threads.
  cases.push_back({{0, 3}, {0, 1}, {1}, 200});
  cases.push_back({{3, 0}, {0, 1}, {1}, 201});
  cases.push_back({{64, 33, 65}, {0, 1, 2}, {2}, 202});
  cases.push_back({{64, 33, 65}, {0, 1, 2}, {1}, 203});
  return cases;
}

/// The strides leave room for twice as many elements along each axis.
TensorSpec StridedSpec(RuntimeDataType type, const ReduceCase& c) {
  Strides strides(c.shape.size());
  int64_t step = 1;
  for (std::size_t i = c.order.size(); i-- > 0;) {
    strides[c.order[i]] = step;
    step *= 2 * std::max<int64_t>(c.shape[c.order[i]], 1);
  }
  return {type, c.shape, strides};
}

/// Returns the elements of each output in row-major order: the slow twin of the geometry.
template <class T>
std::vector<std::vector<T>> Groups(const ReduceCase& c, const TensorSpec& spec, const T* data) {
  std::vector<std::vector<T>> groups;
  Shape kept = c.shape;
  for (const int64_t axis : c.axes) kept[axis] = 1;
  groups.resize(static_cast<std::size_t>(ElementCount(kept)));
  for (int64_t i = 0; i < ElementCount(c.shape); ++i) {
    int64_t rest = i;
    int64_t offset = 0;
    int64_t output = 0;
    int64_t width = 1;
    for (std::size_t axis = c.shape.size(); axis-- > 0;) {
      const int64_t position = rest % c.shape[axis];
      rest /= c.shape[axis];
      offset += position * spec.strides[axis];
      if (kept[axis] == c.shape[axis] && std::find(c.axes.begin(), c.axes.end(), axis) == c.axes.end()) {
        output += position * width;
        width *= c.shape[axis];
      }
    }
    groups[static_cast<std::size_t>(output)].push_back(data[offset]);
  }
  return groups;
}

int64_t StorageSize(const TensorSpec& spec) {
  int64_t size = 1;
  for (std::size_t i = 0; i < spec.shape.size(); ++i) size += std::max<int64_t>(spec.shape[i] - 1, 0) * spec.strides[i];
  return size;
}

class ReduceTest : public testing::TestWithParam<ReduceCase> {
 protected:
  /// Reduces and compares with twin(elements) for each output.
  template <class T, class Out, class Twin>
  void Check(RuntimeDataType type, Reduction reduction, const ReductionOptions& options, double tolerance,
             const Twin& twin) {
    const ReduceCase& c = GetParam();
    SCOPED_TRACE("reduction " + std::to_string(static_cast<int>(reduction)) + " of " + ShapeString(c.shape) + " over " +
                 ShapeString(c.axes) + ", seed " + std::to_string(c.seed));
    const TensorSpec spec = StridedSpec(type, c);
    const std::vector<T> data = RandomVector<T>(StorageSize(spec), c.seed);
    const ReductionGeometry geometry = MakeReductionGeometry(spec, c.axes);
    const auto groups = Groups(c, spec, data.data());
    ASSERT_EQ(geometry.outputs, static_cast<int64_t>(groups.size()));
    std::vector<Out> results(groups.size() + 1, Out(77));
    std::vector<double> workspace(static_cast<std::size_t>(ReduceWorkspace(reduction, geometry)) / sizeof(double) + 1);
    const TensorSpec out(ReducedType(reduction, type), {geometry.outputs});
    Reduce(reduction, options, geometry, {data.data(), spec}, workspace.data(), {results.data(), out});
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const double expected = twin(groups[i]);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(static_cast<double>(results[i]))) << i;
      } else if (static_cast<double>(results[i]) != expected) {
        EXPECT_NEAR(static_cast<double>(results[i]), expected, tolerance * std::max(1.0, std::abs(expected))) << i;
      }
    }
    EXPECT_EQ(results.back(), Out(77)) << "written past the end";
  }

  bool empty() const { return MakeReductionGeometry(StridedSpec(kFloat, GetParam()), GetParam().axes).count == 0; }
};

template <class T>
double Sum(const std::vector<T>& group) {
  double sum = 0;
  for (const T x : group) sum += static_cast<double>(x);
  return sum;
}

constexpr double kTight = 3e-7;

TEST_P(ReduceTest, SumsAndMeans) {
  Check<float, float>(kFloat, Reduction::kSum, {}, kTight, Sum<float>);
  Check<double, double>(RuntimeDataType::kTypeFloat64, Reduction::kSum, {},
                        SumTolerance<double>(ElementCount(GetParam().shape)), Sum<double>);
  Check<int64_t, int64_t>(RuntimeDataType::kTypeInt64, Reduction::kSum, {}, 0, Sum<int64_t>);
  Check<int8_t, int64_t>(RuntimeDataType::kTypeInt8, Reduction::kSum, {}, 0, Sum<int8_t>);
  Check<float, float>(kFloat, Reduction::kMean, {}, kTight,
                      [](const std::vector<float>& group) { return Sum(group) / static_cast<double>(group.size()); });
}

TEST_P(ReduceTest, Products) {
  Check<float, float>(kFloat, Reduction::kProduct, {}, kTight, [](const std::vector<float>& group) {
    double product = 1;
    for (const float x : group) product *= static_cast<double>(x);
    return product;
  });
}

TEST_P(ReduceTest, Extremes) {
  if (empty()) return;
  Check<float, float>(kFloat, Reduction::kMax, {}, 0, [](const std::vector<float>& group) {
    return static_cast<double>(*std::max_element(group.begin(), group.end()));
  });
  Check<int32_t, int32_t>(RuntimeDataType::kTypeInt32, Reduction::kMin, {}, 0, [](const std::vector<int32_t>& group) {
    return static_cast<double>(*std::min_element(group.begin(), group.end()));
  });
}

TEST_P(ReduceTest, Counts) {
  const auto count = [](const std::vector<int32_t>& group) {
    return static_cast<double>(group.size()) - static_cast<double>(std::count(group.begin(), group.end(), 0));
  };
  const RuntimeDataType type = RuntimeDataType::kTypeInt32;
  Check<int32_t, int64_t>(type, Reduction::kCountNonzero, {}, 0, count);
  Check<int32_t, uint8_t>(type, Reduction::kAny, {}, 0,
                          [&](const auto& group) { return count(group) > 0 ? 1.0 : 0.0; });
  Check<int32_t, uint8_t>(type, Reduction::kAll, {}, 0, [&](const auto& group) {
    return count(group) == static_cast<double>(group.size()) ? 1.0 : 0.0;
  });
}

TEST_P(ReduceTest, Norms) {
  for (const double p : {2.0, 1.0, 0.0, 3.0, 0.5, HUGE_VAL}) {
    ReductionOptions options;
    options.p = p;
    SCOPED_TRACE(p);
    Check<float, float>(kFloat, Reduction::kNorm, options, 2e-6, [p](const std::vector<float>& group) {
      double sum = 0;
      for (const float x : group) {
        const double magnitude = std::abs(static_cast<double>(x));
        sum = std::isinf(p) ? std::max(sum, magnitude)
                            : sum + (p == 0 ? (magnitude != 0 ? 1 : 0) : std::pow(magnitude, p));
      }
      return std::isinf(p) || p == 0 ? sum : std::pow(sum, 1 / p);
    });
  }
}

TEST_P(ReduceTest, VariancesAndLogSumExp) {
  for (const double correction : {0.0, 1.0}) {
    ReductionOptions options;
    options.correction = correction;
    Check<float, float>(kFloat, Reduction::kVariance, options, 1e-6, [&](const std::vector<float>& group) {
      const double mean = Sum(group) / static_cast<double>(group.size());
      double squares = 0;
      for (const float x : group) squares += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
      return squares / std::max(0.0, static_cast<double>(group.size()) - correction);
    });
  }
  Check<float, float>(kFloat, Reduction::kLogSumExp, {}, 1e-6, [](const std::vector<float>& group) {
    double sum = 0;
    for (const float x : group) sum += std::exp(static_cast<double>(x));
    return std::log(sum);
  });
}

TEST_P(ReduceTest, Positions) {
  if (empty()) return;
  const ReduceCase& c = GetParam();
  SCOPED_TRACE(ShapeString(c.shape) + " over " + ShapeString(c.axes) + ", seed " + std::to_string(c.seed));
  // Small integers give many equal elements.
  const TensorSpec spec = StridedSpec(RuntimeDataType::kTypeInt32, c);
  const std::vector<int32_t> data = RandomVector<int32_t>(StorageSize(spec), c.seed);
  const ReductionGeometry geometry = MakeReductionGeometry(spec, c.axes, false);
  const auto groups = Groups(c, spec, data.data());
  std::vector<int32_t> values(groups.size());
  std::vector<int64_t> positions(groups.size());
  for (const bool largest : {true, false}) {
    ReduceToPosition(largest, geometry, {data.data(), spec}, values.data(), positions.data());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto best = largest ? std::max_element(groups[i].begin(), groups[i].end())
                                : std::min_element(groups[i].begin(), groups[i].end());
      EXPECT_EQ(positions[i], best - groups[i].begin());
      EXPECT_EQ(values[i], *best);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generated, ReduceTest, testing::ValuesIn(GeneratedCases()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

TEST(Reduce, KeepsPrecisionOverLongSums) {
  // If they were added one after the other in float, the small terms would be lost.
  std::vector<float> data(1 << 20, 1e-3F);
  data[0] = 65536.0F;
  const TensorSpec spec(kFloat, {static_cast<int64_t>(data.size())});
  float sum = 0;
  Reduce(Reduction::kSum, {}, MakeReductionGeometry(spec, {0}), {data.data(), spec}, nullptr,
         {&sum, TensorSpec(kFloat, {})});
  EXPECT_FLOAT_EQ(sum, 65536.0F + static_cast<float>(1e-3F * ((1 << 20) - 1.0)));
}

TEST(Reduce, NanWinsExtremesAndPositions) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const int64_t place : {0, 3, 20, 39}) {
    std::vector<float> data(40, 1.0F);
    data[5] = 100;
    data[static_cast<std::size_t>(place)] = nan;
    const TensorSpec spec(kFloat, {40});
    const ReductionGeometry geometry = MakeReductionGeometry(spec, {0}, false);
    float extreme = 0;
    int64_t position = -1;
    Reduce(Reduction::kMax, {}, geometry, {data.data(), spec}, nullptr, {&extreme, TensorSpec(kFloat, {})});
    EXPECT_TRUE(std::isnan(extreme)) << place;
    ReduceToPosition(false, geometry, {data.data(), spec}, &extreme, &position);
    EXPECT_TRUE(std::isnan(extreme));
    EXPECT_EQ(position, place);
  }
}

TEST(Reduce, LogSumExpOfInfinitiesIsInfinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const TensorSpec spec(kFloat, {2});
  const ReductionGeometry geometry = MakeReductionGeometry(spec, {0});
  double workspace = 0;
  for (const float sign : {1.0F, -1.0F}) {
    const float data[2] = {sign * infinity, sign * infinity};
    float result = 0;
    Reduce(Reduction::kLogSumExp, {}, geometry, {data, spec}, &workspace, {&result, TensorSpec(kFloat, {})});
    EXPECT_EQ(result, sign * infinity);
  }
}

TEST(Reduce, UnsupportedTypesAreRefused) {
  const TensorSpec spec(RuntimeDataType::kTypeInt64, {1});
  const int64_t data = 1;
  int64_t result = 0;
  EXPECT_THROW(Reduce(Reduction::kMean, {}, MakeReductionGeometry(spec, {0}), {&data, spec}, nullptr,
                      {&result, TensorSpec(RuntimeDataType::kTypeInt64, {})}),
               Error);
}

}  // namespace
}  // namespace kuiper_infer::kernel

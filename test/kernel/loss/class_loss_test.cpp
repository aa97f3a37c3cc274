// SPDX-License-Identifier: MIT
#include "kernel/loss/class_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "kernel/random_data.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Expects equal numbers if the expected one is not finite, otherwise numbers within the rounding of `terms` additions
/// and to T.
template <class T>
void ExpectNear(double found, double expected, int64_t terms, const std::string& what) {
  if (!std::isfinite(expected)) {
    ASSERT_TRUE(SameNumber(found, expected)) << what << ": " << found << ", expected " << expected;
  } else {
    const double rounding = (sizeof(T) == 4 ? 6e-8 : 1.2e-16) + 1.2e-16 * static_cast<double>(terms + 4);
    ASSERT_NEAR(found, expected, rounding * std::max(1.0, 4 * std::abs(expected))) << what;
  }
}

struct NllProblem {
  uint32_t seed = 0;
  AxisGeometry geometry;
  bool weighted = false;
  double label_smoothing = 0;
  bool specials = false;  ///< some log probabilities are -infinity or NaN
};

std::string Text(const NllProblem& problem) {
  const auto& [outer, extent, inner] = problem.geometry;
  return "seed" + std::to_string(problem.seed) + "_" + std::to_string(outer) + "x" + std::to_string(extent) + "x" +
         std::to_string(inner) + (problem.weighted ? "_weighted" : "") +
         (problem.label_smoothing > 0 ? "_smoothed" : "") + (problem.specials ? "_specials" : "");
}

void PrintTo(const NllProblem& problem, std::ostream* stream) { *stream << Text(problem); }

std::vector<NllProblem> NllProblems() {
  constexpr int64_t kExtents[] = {1, 2, 3, 7, 8, 9, 16, 17, 33};
  std::vector<NllProblem> problems;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    std::mt19937 generator(seed);
    NllProblem problem;
    problem.seed = seed;
    problem.geometry = {static_cast<int64_t>(generator() % 5), kExtents[generator() % 9], kExtents[generator() % 6]};
    if (generator() % 15 == 0) problem.geometry.inner = 0;
    problem.weighted = generator() % 2 == 0;
    problem.label_smoothing = generator() % 2 == 0 ? 0 : 0.3;
    problem.specials = generator() % 3 == 0;
    problems.push_back(problem);
  }
  return problems;
}

/// loss = (1 - s) w[t] (-log p[t]) + s / classes * sum over c of w[c] (-log p[c]), 0 where the target is ignored
/// (PyTorch's cross_entropy without its reduction).
template <class T>
void CheckNll(const NllProblem& problem) {
  constexpr int64_t kIgnored = -100;
  const auto& [outer, classes, inner] = problem.geometry;
  std::mt19937 generator(problem.seed);
  std::vector<T> logs = RandomVector<T>(problem.geometry.size(), problem.seed);
  for (T& x : logs) {
    const auto kind = problem.specials ? generator() % 20 : 9;
    x = kind == 0 ? -std::numeric_limits<T>::infinity() : (kind == 1 ? std::numeric_limits<T>::quiet_NaN() : x - 1);
  }
  const std::vector<T> weight = RandomVector<T>(classes, problem.seed + 1);
  std::vector<int64_t> targets(static_cast<std::size_t>(outer * inner));
  for (int64_t& target : targets) {
    target = generator() % 5 == 0 ? kIgnored : static_cast<int64_t>(generator() % static_cast<uint64_t>(classes));
  }
  const auto weight_of = [&](int64_t c) { return problem.weighted ? static_cast<double>(weight[c]) : 1.0; };
  GuardedArray<T> losses(outer * inner);
  const double counted = NllLoss({kIgnored, problem.label_smoothing}, problem.geometry, logs.data(), targets.data(),
                                 problem.weighted ? weight.data() : nullptr, losses.data());
  double expected_counted = 0;
  for (int64_t n = 0; n < outer; ++n) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t target = targets[n * inner + i];
      double expected = 0;
      if (target != kIgnored) {
        const double s = problem.label_smoothing;
        for (int64_t c = 0; c < classes; ++c) {
          const double term = -weight_of(c) * static_cast<double>(logs[(n * classes + c) * inner + i]);
          if (c == target) expected += (1 - s) * term;
          if (s > 0) expected += s / static_cast<double>(classes) * term;
        }
        expected_counted += weight_of(target);
      }
      ExpectNear<T>(losses[n * inner + i], expected, classes, "loss " + std::to_string(n * inner + i));
    }
  }
  ExpectNear<double>(counted, expected_counted, outer * inner, "the sum of weights");
  EXPECT_TRUE(losses.intact());
}

class NllLossTest : public testing::TestWithParam<NllProblem> {};

TEST_P(NllLossTest, EqualsItsDefinition) {
  SCOPED_TRACE(Text(GetParam()));
  CheckNll<float>(GetParam());
  CheckNll<double>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Generated, NllLossTest, testing::ValuesIn(NllProblems()),
                         [](const auto& info) { return Text(info.param); });

TEST(NllLossTest, RefusesTargetsThatAreNoClass) {
  const std::vector<float> logs(3, -1.0F);
  float loss = 0;
  for (const int64_t target : {int64_t{-1}, int64_t{3}, INT64_MIN, INT64_MAX}) {
    EXPECT_THROW(NllLoss<float>({}, {1, 3, 1}, logs.data(), &target, nullptr, &loss), Error) << target;
  }
}

struct MarginProblem {
  uint32_t seed = 0;
  int64_t rows = 1;
  int64_t classes = 1;
};

void PrintTo(const MarginProblem& problem, std::ostream* stream) { *stream << "seed " << problem.seed; }

std::vector<MarginProblem> MarginProblems() {
  constexpr int64_t kClasses[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 33};
  std::vector<MarginProblem> problems;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 generator(seed);
    problems.push_back({seed, static_cast<int64_t>(generator() % 6), kClasses[generator() % 10]});
  }
  return problems;
}

class MarginLossTest : public testing::TestWithParam<MarginProblem> {
 protected:
  /// Returns numbers in [-1, 1), some of them infinite. As in PyTorch, a NaN does not break a margin.
  template <class T>
  std::vector<T> Elements() const {
    const MarginProblem& problem = GetParam();
    std::vector<T> x = RandomVector<T>(problem.rows * problem.classes, problem.seed);
    if (problem.seed % 3 != 0) return x;
    std::mt19937 generator(problem.seed);
    for (T& value : x) {
      const auto kind = generator() % 25;
      if (kind == 0) value = std::numeric_limits<T>::infinity();
      if (kind == 1) value = -std::numeric_limits<T>::infinity();
      if (kind == 2) value = std::numeric_limits<T>::quiet_NaN();
    }
    return x;
  }

  /// sum over j != y of w[y] max(0, margin - x[y] + x[j])^p / classes
  template <class T>
  void CheckMultiMargin(double p, bool weighted) const {
    const auto& [seed, rows, classes] = GetParam();
    constexpr double kMargin = 0.75;
    std::mt19937 generator(seed + 1);
    const std::vector<T> x = Elements<T>();
    const std::vector<T> weight = RandomVector<T>(classes, seed + 2);
    std::vector<int64_t> targets(static_cast<std::size_t>(rows));
    for (int64_t& target : targets) target = static_cast<int64_t>(generator() % static_cast<uint64_t>(classes));
    GuardedArray<T> losses(rows);
    MultiMarginLoss<T>(rows, classes, p, kMargin, x.data(), targets.data(), weighted ? weight.data() : nullptr,
                       losses.data());
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t y = targets[row];
      double sum = 0;
      for (int64_t j = 0; j < classes; ++j) {
        const double gap =
            kMargin - static_cast<double>(x[row * classes + y]) + static_cast<double>(x[row * classes + j]);
        if (j != y && gap > 0) sum += std::pow(gap, p);
      }
      ExpectNear<T>(losses[row], sum * (weighted ? static_cast<double>(weight[y]) : 1.0) / static_cast<double>(classes),
                    classes, "row " + std::to_string(row));
    }
    EXPECT_TRUE(losses.intact());
  }

  /// sum over targets y and classes j that are none of max(0, 1 - x[y] + x[j]) / classes
  template <class T>
  void CheckMultilabelMargin() const {
    const auto& [seed, rows, classes] = GetParam();
    std::mt19937 generator(seed + 1);
    const std::vector<T> x = Elements<T>();
    // A list of targets, which may repeat, its end, and numbers behind the end that must be ignored.
    std::vector<int64_t> targets(static_cast<std::size_t>(rows * classes));
    for (int64_t& target : targets) {
      target = generator() % 4 == 0 ? -1 : static_cast<int64_t>(generator() % static_cast<uint64_t>(classes));
    }
    GuardedArray<T> losses(rows);
    MultilabelMarginLoss<T>(rows, classes, x.data(), targets.data(), losses.data());
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int64_t> wanted;
      for (int64_t i = 0; i < classes && targets[row * classes + i] >= 0; ++i) {
        wanted.push_back(targets[row * classes + i]);
      }
      double sum = 0;
      for (const int64_t y : wanted) {
        for (int64_t j = 0; j < classes; ++j) {
          if (std::count(wanted.begin(), wanted.end(), j) > 0) continue;
          const double gap = 1 - static_cast<double>(x[row * classes + y]) + static_cast<double>(x[row * classes + j]);
          if (gap > 0) sum += gap;
        }
      }
      ExpectNear<T>(losses[row], sum / static_cast<double>(classes), classes * classes, "row " + std::to_string(row));
    }
    EXPECT_TRUE(losses.intact());
  }
};

TEST_P(MarginLossTest, OneTargetEqualsTheDefinition) {
  SCOPED_TRACE("seed " + std::to_string(GetParam().seed));
  for (const double p : {1.0, 2.0}) {
    CheckMultiMargin<float>(p, true);
    CheckMultiMargin<double>(p, false);
  }
}

TEST_P(MarginLossTest, SeveralTargetsEqualTheDefinition) {
  SCOPED_TRACE("seed " + std::to_string(GetParam().seed));
  CheckMultilabelMargin<float>();
  CheckMultilabelMargin<double>();
}

INSTANTIATE_TEST_SUITE_P(Generated, MarginLossTest, testing::ValuesIn(MarginProblems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

TEST(MarginLossTest, RefuseTargetsThatAreNoClass) {
  const std::vector<float> x(3, 0.0F);
  float loss = 0;
  for (const int64_t target : {int64_t{-1}, int64_t{3}, INT64_MIN}) {
    EXPECT_THROW(MultiMarginLoss<float>(1, 3, 1, 1, x.data(), &target, nullptr, &loss), Error) << target;
  }
  const std::vector<int64_t> targets{0, 3, -1};
  EXPECT_THROW(MultilabelMarginLoss(1, 3, x.data(), targets.data(), &loss), Error);
}

}  // namespace
}  // namespace kuiper_infer::kernel

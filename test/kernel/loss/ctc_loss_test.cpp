// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/guarded_array.hpp"
#include "kernel/loss/class_loss.hpp"
#include "kernel/random_data.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct CtcProblem {
  uint32_t seed = 0;
  int64_t steps = 0;
  int64_t classes = 1;
  int64_t blank = 0;
  std::vector<int64_t> target;
  bool specials = false;  ///< some log probabilities are -infinity or NaN
};

std::string Text(const CtcProblem& problem) {
  std::string text = "seed" + std::to_string(problem.seed) + "_" + std::to_string(problem.steps) + "steps_" +
                     std::to_string(problem.classes) + "classes_blank" + std::to_string(problem.blank) + "_target";
  for (const int64_t label : problem.target) text += std::to_string(label);
  return text + (problem.specials ? "_specials" : "");
}

void PrintTo(const CtcProblem& problem, std::ostream* stream) { *stream << Text(problem); }

/// Returns problems so small that all paths can be enumerated.
std::vector<CtcProblem> CtcProblems() {
  std::vector<CtcProblem> problems;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 generator(seed);
    CtcProblem problem;
    problem.seed = seed;
    problem.steps = static_cast<int64_t>(generator() % 7);
    problem.classes = 2 + static_cast<int64_t>(generator() % 2);
    problem.blank = static_cast<int64_t>(generator() % static_cast<uint64_t>(problem.classes));
    problem.target.resize(generator() % 4);
    for (int64_t& label : problem.target) {
      do {
        label = static_cast<int64_t>(generator() % static_cast<uint64_t>(problem.classes));
      } while (label == problem.blank);
    }
    problem.specials = generator() % 3 == 0;
    problems.push_back(problem);
  }
  return problems;
}

/// Returns the labels of a path: drops repetitions, then blanks (Graves et al. 2006, the map B of section 3.1).
std::vector<int64_t> Collapse(const std::vector<int64_t>& path, int64_t blank) {
  std::vector<int64_t> labels;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != blank && (i == 0 || path[i] != path[i - 1])) labels.push_back(path[i]);
  }
  return labels;
}

/// -log of the sum over all paths that collapse to the target of the product of their probabilities (equations 2 and 3
/// there).
template <class T>
double CountPaths(const CtcProblem& problem, const std::vector<T>& logs, int64_t stride) {
  std::vector<int64_t> path(static_cast<std::size_t>(problem.steps), 0);
  double probability = 0;
  while (true) {
    if (Collapse(path, problem.blank) == problem.target) {
      double log = 0;
      for (int64_t step = 0; step < problem.steps; ++step) log += static_cast<double>(logs[step * stride + path[step]]);
      probability += std::exp(log);
    }
    std::size_t step = 0;
    while (step < path.size() && ++path[step] == problem.classes) path[step++] = 0;
    if (step == path.size()) return -std::log(probability);
  }
}

template <class T>
void CheckCtc(const CtcProblem& problem) {
  const int64_t stride = problem.classes + 2;
  std::mt19937 generator(problem.seed + 1);
  std::vector<T> logs = RandomVector<T>(problem.steps * stride, problem.seed);
  for (T& x : logs) {
    const auto kind = problem.specials ? generator() % 12 : 9;
    x = kind == 0 ? T(-kInfinity) : (kind == 1 ? T(kNan) : 2 * x - 2);
  }
  const auto length = static_cast<int64_t>(problem.target.size());
  GuardedArray<double> scratch(4 * length + 2);
  const double found = CtcLoss(problem.steps, stride, problem.classes, problem.blank, logs.data(),
                               problem.target.data(), length, scratch.data());
  const double expected = CountPaths(problem, logs, stride);
  const bool nans = std::any_of(logs.begin(), logs.end(), [](T x) { return x != x; });
  if (nans && std::isnan(found)) return;  // in PyTorch, too, a NaN of a path that is too short to end counts
  if (std::isfinite(expected)) {
    ASSERT_NEAR(found, expected, 1e-13 * std::max(1.0, std::abs(expected)));
  } else {
    ASSERT_TRUE(SameNumber(found, expected)) << found << ", expected " << expected;
  }
  EXPECT_TRUE(scratch.intact());
}

class CtcLossTest : public testing::TestWithParam<CtcProblem> {};

TEST_P(CtcLossTest, EqualsTheSumOverAllPaths) {
  SCOPED_TRACE(Text(GetParam()));
  CheckCtc<float>(GetParam());
  CheckCtc<double>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Generated, CtcLossTest, testing::ValuesIn(CtcProblems()),
                         [](const auto& info) { return Text(info.param); });

/// A NaN at any place of a path reaches the loss.
TEST_P(CtcLossTest, ANanOfAPathIsNotLost) {
  const CtcProblem& problem = GetParam();
  SCOPED_TRACE(Text(problem));
  const auto length = static_cast<int64_t>(problem.target.size());
  for (int64_t place = 0; place < problem.steps * problem.classes; ++place) {
    std::vector<double> logs(static_cast<std::size_t>(problem.steps * problem.classes), -1.0);
    logs[static_cast<std::size_t>(place)] = kNan;
    if (!std::isnan(CountPaths(problem, logs, problem.classes))) continue;
    std::vector<double> scratch(static_cast<std::size_t>(4 * length + 2));
    EXPECT_TRUE(std::isnan(CtcLoss(problem.steps, problem.classes, problem.classes, problem.blank, logs.data(),
                                   problem.target.data(), length, scratch.data())))
        << "NaN of step " << place / problem.classes << ", class " << place % problem.classes;
  }
}

TEST(CtcLossTest, RefusesTargetsThatAreNoClass) {
  const std::vector<float> logs(6, -1.0F);
  double scratch[6];
  for (const int64_t target : {int64_t{-1}, int64_t{3}}) {
    EXPECT_THROW(CtcLoss(2, 3, 3, 0, logs.data(), &target, 1, scratch), Error) << target;
  }
}

/// Probabilities of long sequences underflow, their logarithms don't. With two classes of probability 1/2 and one
/// label, a path has one run of labels, so there are steps (steps + 1) / 2 paths.
TEST(CtcLossTest, LongSequencesStayInRange) {
  constexpr int64_t kSteps = 5000;
  const std::vector<double> logs(2 * kSteps, -std::log(2.0));
  constexpr int64_t kTarget = 1;
  double scratch[6];
  const double expected = kSteps * std::log(2.0) - std::log(kSteps * (kSteps + 1) / 2.0);
  EXPECT_NEAR(CtcLoss(kSteps, 2, 2, 0, logs.data(), &kTarget, 1, scratch), expected, 1e-9);
}

}  // namespace
}  // namespace kuiper_infer::kernel

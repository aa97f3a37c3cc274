// SPDX-License-Identifier: MIT
#include "kernel/recurrent/rnn.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

struct RecurrentProblem {
  uint32_t seed;
  bool bias;
  bool projection;
  RecurrentGeometry geometry;
};

std::string Text(const RecurrentProblem& problem) {
  const char* const names[] = {"Lstm", "Gru", "Tanh", "Relu"};
  const RecurrentGeometry& g = problem.geometry;
  return names[static_cast<int>(g.cell)] + ("_seed" + std::to_string(problem.seed)) + "_t" + std::to_string(g.steps) +
         "_n" + std::to_string(g.batch) + "_i" + std::to_string(g.input_size) + "_h" + std::to_string(g.hidden_size) +
         "_s" + std::to_string(g.state_size) + (g.reverse ? "_reverse" : "") + (g.step_rows == 1 ? "_batchfirst" : "");
}

std::vector<RecurrentProblem> Problems() {
  std::vector<RecurrentProblem> problems;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(1, most)(generator); };
    RecurrentProblem problem{seed, draw(2) == 1, false, {}};
    RecurrentGeometry& g = problem.geometry;
    g.cell = static_cast<RecurrentCell>(seed % 4);
    g.steps = draw(7);
    g.batch = draw(4);
    g.input_size = draw(9);
    g.hidden_size = draw(17);
    problem.projection = g.cell == RecurrentCell::kLstm && draw(2) == 1;
    g.state_size = problem.projection ? draw(g.hidden_size) : g.hidden_size;
    const bool batch_first = draw(2) == 1;
    g.step_rows = batch_first ? 1 : g.batch;
    g.batch_rows = batch_first ? g.steps : 1;
    g.output_pitch = g.state_size + draw(3) - 1;
    g.reverse = draw(2) == 1;
    problems.push_back(problem);
  }
  return problems;
}

double SigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }

/// Computes a step of one batch item by the formulas of PyTorch's documentation. `gate(k, j)` returns the two terms of
/// gate k, unit j.
void StepOf(RecurrentCell cell, int64_t size, const std::vector<double>& x, const std::vector<double>& s,
            std::vector<double>& c, std::vector<double>& h) {
  for (int64_t j = 0; j < size; ++j) {
    const auto sum = [&](int64_t gate) { return x[gate * size + j] + s[gate * size + j]; };
    switch (cell) {
      case RecurrentCell::kLstm:
        c[j] = SigmoidOf(sum(1)) * c[j] + SigmoidOf(sum(0)) * std::tanh(sum(2));
        h[j] = SigmoidOf(sum(3)) * std::tanh(c[j]);
        break;
      case RecurrentCell::kGru: {
        const double n = std::tanh(x[2 * size + j] + SigmoidOf(sum(0)) * s[2 * size + j]);
        h[j] = (1 - SigmoidOf(sum(1))) * n + SigmoidOf(sum(1)) * h[j];
        break;
      }
      case RecurrentCell::kTanh:
        h[j] = std::tanh(sum(0));
        break;
      case RecurrentCell::kRelu:
        h[j] = std::max(sum(0), 0.0);
        break;
    }
  }
}

template <class T>
double RoundedIf(bool rounds, T value) {
  return rounds ? static_cast<float>(BFloat16(static_cast<float>(value))) : static_cast<double>(value);
}

/// Returns weight (rows, columns) times a vector, plus a bias if there is one. If `rounds`, the factors are rounded to
/// bfloat16.
template <class T>
std::vector<double> Times(const std::vector<T>& weight, const T* bias, int64_t rows, int64_t columns,
                          const std::vector<double>& vector, bool rounds) {
  std::vector<double> result(static_cast<std::size_t>(rows));
  for (int64_t r = 0; r < rows; ++r) {
    result[r] = bias != nullptr ? static_cast<double>(bias[r]) : 0.0;
    for (int64_t k = 0; k < columns; ++k) {
      result[r] += RoundedIf(rounds, weight[r * columns + k]) * RoundedIf(rounds, vector[k]);
    }
  }
  return result;
}

/// The inputs of a run, and the run.
template <class T>
struct Recurrence {
  explicit Recurrence(const RecurrentProblem& of)
      : problem(of),
        input(Random(g.steps * g.batch * g.input_size)),
        weight_ih(Random(gates * g.input_size)),
        weight_hh(Random(gates * g.state_size)),
        bias_ih(Random(gates)),
        bias_hh(Random(gates)),
        weight_hr(Random(g.state_size * g.hidden_size)),
        hidden(Random(g.batch * g.state_size)),
        cell(Random(g.batch * g.hidden_size)) {
    weights.weight_ih = weight_ih.data();
    weights.weight_hh = weight_hh.data();
    if (problem.bias) weights.bias_ih = bias_ih.data();
    if (problem.bias) weights.bias_hh = bias_hh.data();
    if (problem.projection) weights.weight_hr = weight_hr.data();
  }

  std::vector<T> Random(int64_t count) { return RandomVector<T>(count, ++seed); }

  /// Runs by these weights and compares with the formulas in double. If `rounds`, products round their factors to
  /// bfloat16.
  void Check(const RecurrentWeights<T>& by, bool rounds, double tolerance) const {
    std::vector<T> output(static_cast<std::size_t>(g.steps * g.batch * g.output_pitch), T(99));
    std::vector<T> last_hidden = hidden;
    std::vector<T> last_cell = cell;
    std::vector<T> workspace(static_cast<std::size_t>(RecurrentWorkspace(g)));
    RunRecurrent(g, by, input.data(), output.data(), last_hidden.data(),
                 g.cell == RecurrentCell::kLstm ? last_cell.data() : nullptr, workspace.data());
    for (int64_t n = 0; n < g.batch; ++n) {
      std::vector<double> h(hidden.begin() + n * g.state_size, hidden.begin() + (n + 1) * g.state_size);
      std::vector<double> c(cell.begin() + n * g.hidden_size, cell.begin() + (n + 1) * g.hidden_size);
      for (int64_t step = 0; step < g.steps; ++step) {
        const int64_t t = g.reverse ? g.steps - 1 - step : step;
        const int64_t row = t * g.step_rows + n * g.batch_rows;
        const std::vector<double> x(input.begin() + row * g.input_size, input.begin() + (row + 1) * g.input_size);
        const std::vector<double> from_input = Times(weight_ih, by.bias_ih, gates, g.input_size, x, rounds);
        const std::vector<double> from_state = Times(weight_hh, by.bias_hh, gates, g.state_size, h, rounds);
        std::vector<double> next = problem.projection ? std::vector<double>(g.hidden_size) : h;
        StepOf(g.cell, g.hidden_size, from_input, from_state, c, next);
        h = problem.projection ? Times<T>(weight_hr, nullptr, g.state_size, g.hidden_size, next, rounds) : next;
        for (int64_t j = 0; j < g.output_pitch; ++j) {
          const double expected = j < g.state_size ? h[j] : 99;
          ASSERT_NEAR(output[row * g.output_pitch + j], expected, tolerance * std::max(1.0, std::abs(expected)))
              << "step " << t << " item " << n << " unit " << j;
        }
      }
      for (int64_t j = 0; j < g.state_size; ++j) {
        ASSERT_NEAR(last_hidden[n * g.state_size + j], h[j], tolerance * std::max(1.0, std::abs(h[j])));
      }
      for (int64_t j = 0; j < g.hidden_size && g.cell == RecurrentCell::kLstm; ++j) {
        ASSERT_NEAR(last_cell[n * g.hidden_size + j], c[j], tolerance * std::max(1.0, std::abs(c[j])));
      }
    }
  }

  const RecurrentProblem& problem;
  const RecurrentGeometry& g = problem.geometry;
  const int64_t gates = GateCount(g.cell) * g.hidden_size;
  uint32_t seed = problem.seed * 16;
  std::vector<T> input, weight_ih, weight_hh, bias_ih, bias_hh, weight_hr, hidden, cell;
  RecurrentWeights<T> weights;
};

class RecurrentTest : public testing::TestWithParam<RecurrentProblem> {};

/// Sums of up to 27 products multiply the errors of each step, so float keeps four digits in the worst case.
constexpr double kFloatTolerance = 1e-4;

TEST_P(RecurrentTest, EqualsTheFormulas) {
  SCOPED_TRACE(Text(GetParam()));
  const Recurrence<float> floats(GetParam());
  floats.Check(floats.weights, false, kFloatTolerance);
  const Recurrence<double> doubles(GetParam());
  doubles.Check(doubles.weights, false, 1e-12);
}

TEST_P(RecurrentTest, PackedWeightsGiveTheSame) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  SCOPED_TRACE(Text(GetParam()));
  const Recurrence<float> recurrence(GetParam());
  const RecurrentGeometry& g = GetParam().geometry;
  for (const ProductKernel* kernel : {&Float32Kernel(UsedIsa()), &BFloat16KernelOf(UsedMatrixUnit(), 1)}) {
    const auto packed = [&](int64_t columns, int64_t depth, const std::vector<float>& weight) {
      return PackedFor(*kernel, {columns, depth, 1, weight.data(), depth});
    };
    const auto packed_ih = packed(recurrence.gates, g.input_size, recurrence.weight_ih);
    const auto packed_hh = packed(recurrence.gates, g.state_size, recurrence.weight_hh);
    RecurrentWeights<float> weights;
    weights.bias_ih = recurrence.weights.bias_ih;
    weights.bias_hh = recurrence.weights.bias_hh;
    weights.packed_ih = {kernel, packed_ih.data()};
    weights.packed_hh = {kernel, packed_hh.data()};
    const auto packed_hr = packed(g.state_size, g.hidden_size, recurrence.weight_hr);
    if (GetParam().projection) weights.packed_hr = {kernel, packed_hr.data()};
    // A state that lies half-way between two bfloat16 numbers may be rounded either way.
    const bool rounds = kernel->RoundsToBFloat16();
    recurrence.Check(weights, rounds, rounds ? 1e-3 : kFloatTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, RecurrentTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return Text(info.param); });

}  // namespace
}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "kernel/convolution/convolution_problem.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Computes by the definition: every input element is spread over the outputs under its window. The problem's `image`
/// is the output, `channels_in` the number of the input's channels.
template <class T>
std::vector<double> Reference(const ConvolutionProblem& problem, const std::vector<T>& input,
                              const std::vector<T>& weight, const std::vector<T>& bias) {
  const ConvolutionGeometry& g = problem.geometry;
  const int64_t plane = g.grid.image_size();
  const int64_t group_in = g.channels_in / g.groups;
  const int64_t group_out = g.channels_out / g.groups;
  std::vector<double> output(static_cast<std::size_t>(g.batch * g.channels_out * plane), 0.0);
  for (std::size_t i = 0; i < output.size() && !bias.empty(); ++i) {
    output[i] = static_cast<double>(bias[static_cast<int64_t>(i) / plane % g.channels_out]);
  }
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t c = 0; c < g.channels_in; ++c) {
      for (int64_t o = 0; o < group_out; ++o) {
        const int64_t target = n * g.channels_out + c / group_in * group_out + o;
        ForEachIndex(g.grid.positions, [&](const Extents3& position) {
          ForEachIndex(problem.kernel(), [&](const Extents3& tap) {
            Extents3 at;
            if (!problem.ElementAt(position, tap, &at)) return;
            const int64_t from =
                (n * g.channels_in + c) * g.grid.position_count() + FlatIndex(g.grid.positions, position);
            const int64_t w = (c * group_out + o) * g.grid.taps() + FlatIndex(problem.kernel(), tap);
            output[target * plane + FlatIndex(g.grid.image, at)] +=
                static_cast<double>(input[from]) * static_cast<double>(weight[w]);
          });
        });
      }
    }
  }
  return output;
}

template <class T>
void CheckTransposed(const ConvolutionProblem& problem, int threads) {
  const ConvolutionGeometry& g = problem.geometry;
  SCOPED_TRACE(problem.Name() + " threads " + std::to_string(threads) + " seed " + std::to_string(problem.seed));
  const ThreadScope scope(threads);
  const auto input = RandomVector<T>(g.batch * g.channels_in * g.grid.position_count(), problem.seed);
  const auto weight = RandomVector<T>(g.channels_in * g.channels_out / g.groups * g.grid.taps(), problem.seed + 1);
  const auto bias = RandomVector<T>(problem.bias ? g.channels_out : 0, problem.seed + 2);
  const std::vector<double> expected = Reference(problem, input, weight, bias);
  const ConvolutionSchedule schedule = ScheduleTransposedConvolution(g, sizeof(T), threads);
  std::vector<std::byte> workspace(schedule.workspace_bytes);
  std::vector<T> output(expected.size() + kGuard, kSentinel<T>);
  TransposedConvolution<T>(g, schedule, input.data(), weight.data(), problem.bias ? bias.data() : nullptr,
                           output.data(), workspace.data());
  ExpectNear(output, expected, SumTolerance<T>(g.channels_in / g.groups * g.grid.taps() + 1));
}

TEST(TransposedConvolution, EqualsTheDefinition) {
  for (uint32_t seed = 5000; seed < 5320; ++seed) {
    // The generated image may be larger than the windows reach; the difference is output_padding.
    const ConvolutionProblem problem = GenerateProblem(seed);
    CheckTransposed<float>(problem, 2);
    if (seed % 4 == 0) CheckTransposed<double>(problem, 1);
    if (HasFatalFailure()) return;
  }
}

TEST(TransposedConvolution, LargeOnesRunInTiles) {
  ConvolutionProblem problem;
  problem.geometry.channels_in = 6;
  problem.geometry.channels_out = 32;
  problem.geometry.grid.image = {1, 96, 90};
  problem.geometry.grid.window[1] = problem.geometry.grid.window[2] = {4, 2, 1, 1, 1};
  problem.Finish();
  EXPECT_LT(ScheduleTransposedConvolution(problem.geometry, 4, 2).tile, problem.geometry.grid.position_count());
  CheckTransposed<float>(problem, 2);
}

TEST(TransposedConvolution, EmptyBatch) {
  ConvolutionProblem problem = GenerateProblem(1);
  problem.geometry.batch = 0;
  CheckTransposed<float>(problem, 2);
}

}  // namespace
}  // namespace kuiper_infer::kernel

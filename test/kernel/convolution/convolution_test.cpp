// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_problem.hpp"
#include "kernel/product/packed_gemm.hpp"
#include "kernel/product/product_kernels.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Computes by the definition, with plain loops and bounds tests.
template <class T>
std::vector<double> Reference(const ConvolutionProblem& problem, const std::vector<T>& input,
                              const std::vector<T>& weight, const std::vector<T>& bias) {
  const ConvolutionGeometry& g = problem.geometry;
  std::vector<double> output;
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t o = 0; o < g.channels_out; ++o) {
      ForEachIndex(g.grid.positions, [&](const Extents3& position) {
        double sum = bias.empty() ? 0.0 : static_cast<double>(bias[o]);
        const int64_t group_in = g.channels_in / g.groups;
        const int64_t group = o / (g.channels_out / g.groups);
        for (int64_t c = 0; c < group_in; ++c) {
          ForEachIndex(problem.kernel(), [&](const Extents3& tap) {
            Extents3 at;
            if (!problem.ElementAt(position, tap, &at)) return;
            const int64_t from =
                (n * g.channels_in + group * group_in + c) * g.grid.image_size() + FlatIndex(g.grid.image, at);
            const int64_t w = (o * group_in + c) * g.grid.taps() + FlatIndex(problem.kernel(), tap);
            sum += static_cast<double>(input[from]) * static_cast<double>(weight[w]);
          });
        }
        output.push_back(sum);
      });
    }
  }
  return output;
}

/// Returns the groups' packed weights; empty if they cannot be packed for this type or CPU.
template <class T>
std::vector<float> Packed(const ConvolutionGeometry& g, const std::vector<T>& weight) {
  std::vector<float> packed;
  if constexpr (std::is_same_v<T, float>) {
    const int64_t rows = g.channels_out / g.groups;
    const int64_t depth = g.channels_in / g.groups * g.grid.taps();
    const int64_t size = PackedLeftSize(rows, depth);
    if (HasProductKernels(UsedUnits())) packed.resize(static_cast<std::size_t>(g.groups * size));
    for (int64_t group = 0; group < g.groups && !packed.empty(); ++group) {
      PackLeft(rows, depth, weight.data() + group * rows * depth, depth, packed.data() + group * size);
    }
  }
  return packed;
}

template <class T>
void CheckConvolution(const ConvolutionProblem& problem, int threads) {
  const ConvolutionGeometry& g = problem.geometry;
  const uint32_t seed = problem.seed;
  SCOPED_TRACE(problem.Name() + " threads " + std::to_string(threads) + " seed " + std::to_string(seed));
  const ThreadScope scope(threads);
  const int64_t group_in = g.channels_in / g.groups;
  const auto input = RandomVector<T>(g.batch * g.channels_in * g.grid.image_size(), seed);
  const auto weight = RandomVector<T>(g.channels_out * group_in * g.grid.taps(), seed + 1);
  const auto bias = RandomVector<T>(problem.bias ? g.channels_out : 0, seed + 2);
  const std::vector<double> expected = Reference(problem, input, weight, bias);
  const ConvolutionSchedule schedule = ScheduleConvolution(g, sizeof(T), threads);
  for (const auto& packed : {std::vector<float>(), Packed(g, weight)}) {
    std::vector<std::byte> workspace(schedule.workspace_bytes + kGuard, kGuardByte);
    std::vector<T> output(expected.size() + kGuard, kSentinel<T>);
    const ConvolutionWeight<T> weights{weight.data(), packed.empty() ? nullptr : packed.data(),
                                       problem.bias ? bias.data() : nullptr};
    Convolution<T>(g, schedule, input.data(), weights, {}, output.data(), workspace.data());
    ExpectNear(output, expected, SumTolerance<T>(group_in * g.grid.taps() + 1));
    EXPECT_TRUE(std::all_of(workspace.end() - kGuard, workspace.end(), [](std::byte b) { return b == kGuardByte; }));
  }
}

TEST(Convolution, EqualsTheDefinition) {
  for (uint32_t seed = 0; seed < 420; ++seed) {
    const ConvolutionProblem problem = GenerateProblem(seed);
    CheckConvolution<float>(problem, 2);
    if (seed % 4 == 0) CheckConvolution<float>(problem, 1);
    if (seed % 4 == 1) CheckConvolution<double>(problem, 3);
    if (HasFatalFailure()) return;
  }
}

TEST(Convolution, DepthwiseEqualsTheDefinition) {
  uint32_t seed = 1000;
  for (int64_t kernel : {1, 2, 3, 5, 7}) {
    for (int64_t stride : {1, 2, 3}) {
      for (int64_t padding : {0, 1, 2}) {
        for (int64_t extent : {7, 8, 9, 15, 17, 33}) {
          ConvolutionProblem problem;
          problem.seed = seed++;
          problem.bias = seed % 2 == 0;
          problem.geometry.batch = 1 + seed % 2;
          problem.geometry.channels_in = problem.geometry.groups = 2 + seed % 3;
          problem.geometry.channels_out = problem.geometry.groups * (1 + seed % 2);
          problem.geometry.grid.image = {1, extent, extent + 2};
          const int64_t dilation = seed % 5 == 0 ? 2 : 1;
          if (extent + 2 * padding <= dilation * (kernel - 1)) continue;
          problem.geometry.grid.window[1] = {kernel, stride, padding, padding, dilation};
          problem.geometry.grid.window[2] = {kernel, stride, padding, padding / 2, dilation};
          problem.Finish();
          EXPECT_EQ(ScheduleConvolution(problem.geometry, 4, 2).method, ConvolutionSchedule::Method::kDepthwise);
          CheckConvolution<float>(problem, 2);
        }
      }
    }
  }
}

ConvolutionProblem SquareProblem(int64_t batch, int64_t in, int64_t out, int64_t groups, int64_t extent,
                                 const Window& window) {
  ConvolutionProblem problem;
  problem.seed = 77;
  problem.geometry.batch = batch;
  problem.geometry.channels_in = in;
  problem.geometry.channels_out = out;
  problem.geometry.groups = groups;
  problem.geometry.grid.image = {1, extent, extent};
  problem.geometry.grid.window[1] = problem.geometry.grid.window[2] = window;
  problem.Finish();
  return problem;
}

TEST(Convolution, LargeOnesRunInTilesOnAllThreads) {
  const ConvolutionProblem tiled = SquareProblem(1, 64, 8, 1, 56, {3, 1, 1, 1, 1});
  const ConvolutionSchedule schedule = ScheduleConvolution(tiled.geometry, 4, 2);
  EXPECT_EQ(schedule.workers, 2);
  EXPECT_LT(schedule.tile, 56 * 56);
  CheckConvolution<float>(tiled, 2);
  CheckConvolution<float>(SquareProblem(1, 300, 5, 1, 7, {3, 1, 1, 1, 1}), 2);
  CheckConvolution<float>(SquareProblem(3, 32, 24, 2, 20, {1, 1, 0, 0, 1}), 2);
  CheckConvolution<float>(SquareProblem(2, 32, 24, 4, 21, {1, 2, 0, 0, 1}), 2);
}

TEST(Convolution, WorkspaceStaysBoundedForLargeImages) {
  ConvolutionGeometry geometry;
  geometry.channels_in = geometry.channels_out = 64;
  geometry.grid.image = {1, 4000, 4000};
  geometry.grid.window[1] = geometry.grid.window[2] = {3, 1, 1, 1, 1};
  geometry.grid.positions = {1, 4000, 4000};
  EXPECT_LE(ScheduleConvolution(geometry, 4, 2).workspace_bytes, 8 << 20);
  geometry.channels_in = 4096;
  EXPECT_LE(ScheduleConvolution(geometry, 4, 1).workspace_bytes, 10 << 20);
}

TEST(Convolution, ScheduleOfOneThreadCountRunsWithAnother) {
  const ConvolutionProblem problem = SquareProblem(2, 16, 8, 1, 24, {3, 1, 1, 1, 1});
  const ConvolutionGeometry& g = problem.geometry;
  const auto input = RandomVector<float>(g.batch * 16 * 24 * 24, 1);
  const auto weight = RandomVector<float>(8 * 16 * 9, 2);
  const std::vector<double> expected = Reference(problem, input, weight, {});
  for (const int planned : {1, 2, 5}) {
    for (const int running : {1, 2, 3}) {
      const ThreadScope scope(running);
      const ConvolutionSchedule schedule = ScheduleConvolution(g, 4, planned);
      std::vector<std::byte> workspace(schedule.workspace_bytes);
      std::vector<float> output(expected.size() + kGuard, kSentinel<float>);
      Convolution<float>(g, schedule, input.data(), {weight.data()}, {}, output.data(), workspace.data());
      ExpectNear(output, expected, SumTolerance<float>(16 * 9));
    }
  }
}

TEST(Convolution, EmptyBatchAndNoInputChannels) {
  ConvolutionProblem empty = SquareProblem(0, 3, 4, 1, 8, {3, 1, 1, 1, 1});
  CheckConvolution<float>(empty, 2);
  ConvolutionProblem no_channels = SquareProblem(2, 0, 4, 1, 8, {3, 1, 1, 1, 1});
  no_channels.bias = true;
  CheckConvolution<float>(no_channels, 2);
}

}  // namespace
}  // namespace kuiper_infer::kernel

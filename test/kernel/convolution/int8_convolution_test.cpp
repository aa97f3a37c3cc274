// SPDX-License-Identifier: MIT
// Convolutions of bytes by 8-bit weights, compared with the planar convolution in double of the numbers that they stand
// for.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_choices.hpp"
#include "kernel/convolution/convolution_problem.hpp"
#include "kernel/elementwise/functions.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr QuantizationGrid kInputGrid{0.05F, 117, 0, 255};
constexpr QuantizationGrid kResidualGrid{0.25F, 30, 0, 255};
constexpr QuantizationGrid kOutputGrid{0.5F, 90, 90, 250};

// Problems with these seeds have the largest bytes, and weights of 127 or -128.
constexpr uint32_t kLargestSums = 1000;
constexpr uint32_t kSmallestSums = 1001;

constexpr const char* kWinogradMethods[] = {"winograd2, int8", "winograd4, int8"};

double NumberOf(uint8_t byte, const QuantizationGrid& grid) {
  return (static_cast<double>(byte) - grid.zero_point) * static_cast<double>(grid.scale);
}

/// A convolution's arrays, channels-last with a gap behind each pixel, and the expected sums.
struct Problem {
  Problem(const ConvolutionProblem& given, int64_t gap)
      : g(given.geometry), in_pixel(g.channels_in + gap), out_pixel(g.channels_out + gap) {
    const int64_t depth = g.group_depth();
    const auto raw = RandomVector<float>(g.batch * g.grid.image_size() * in_pixel, given.seed);
    input.resize(raw.size());
    std::transform(raw.begin(), raw.end(), input.begin(), [](float x) { return static_cast<uint8_t>(128 + 127 * x); });
    weight = RandomVector<float>(g.channels_out * depth, given.seed + 1);
    for (float& q : weight) q = std::round(127 * q);
    if (given.seed / 4 % 3 == 1) NarrowPairs();
    if (given.seed / 4 % 3 == 2) WidenLowerPairs();
    if (given.seed == kLargestSums || given.seed == kSmallestSums) {
      std::fill(weight.begin(), weight.end(), given.seed == kLargestSums ? 127.0F : -128.0F);
      std::fill(input.begin(), input.end(), uint8_t{255});
    }
    scales.resize(static_cast<std::size_t>(g.channels_out));
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = 0.01F * static_cast<float>(1 + i % 5);
    bias = RandomVector<float>(g.channels_out, given.seed + 2);
    const auto others = RandomVector<float>(g.batch * g.grid.position_count() * out_pixel, given.seed + 3);
    residual.resize(others.size());
    std::transform(others.begin(), others.end(), residual.begin(),
                   [](float x) { return static_cast<uint8_t>(128 + 127 * x); });
    has_bias = given.bias;
  }

  /// Makes pairs of weights add up to the most that narrow pairs may, with the largest bytes.
  void NarrowPairs() {
    for (float& q : weight) q = std::abs(q) > 80 ? std::copysign(64.0F, q) : std::round(q / 2);
    for (std::size_t i = 0; i < input.size(); i += 3) input[i] = input[i / 2] = 255;
  }

  /// Makes only the pairs of a window's first row narrow: all other weights are 127.
  void WidenLowerPairs() {
    const int64_t row = g.grid.window[2].kernel;
    const int64_t window = row * g.grid.window[1].kernel * g.grid.window[0].kernel;
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<int64_t>(i) % window < row ? 0.0F : 127.0F;
    std::fill(input.begin(), input.end(), uint8_t{255});
  }

  /// (batch, channels, positions)
  std::vector<double> Expected(bool adds, const Activation& activation) const {
    const int64_t pixels = g.grid.image_size();
    const int64_t positions = g.grid.position_count();
    std::vector<double> x(static_cast<std::size_t>(g.batch * g.channels_in * pixels));
    for (int64_t n = 0; n < g.batch; ++n) {
      for (int64_t c = 0; c < g.channels_in; ++c) {
        for (int64_t p = 0; p < pixels; ++p) {
          x[(n * g.channels_in + c) * pixels + p] = NumberOf(input[(n * pixels + p) * in_pixel + c], kInputGrid);
        }
      }
    }
    std::vector<double> w(weight.begin(), weight.end());
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= scales[i / (w.size() / scales.size())];
    const std::vector<double> b(bias.begin(), bias.end());
    std::vector<double> result(static_cast<std::size_t>(g.batch * g.channels_out * positions));
    const ConvolutionSchedule schedule = ScheduleConvolution(g, sizeof(double), 1);
    std::vector<std::byte> workspace(static_cast<std::size_t>(schedule.workspace_bytes));
    Convolution<double>(g, schedule, x.data(), {w.data(), nullptr, has_bias ? b.data() : nullptr}, {}, result.data(),
                        workspace.data());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const int64_t p = at % positions;
      const int64_t c = at / positions % g.channels_out;
      const int64_t n = at / positions / g.channels_out;
      if (adds) result[i] += NumberOf(residual[(n * positions + p) * out_pixel + c], kResidualGrid);
      activation.Apply(&result[i], 1);
    }
    return result;
  }

  ConvolutionGeometry g;
  int64_t in_pixel;
  int64_t out_pixel;
  std::vector<uint8_t> input;
  std::vector<float> weight;
  std::vector<float> scales;
  std::vector<float> bias;
  std::vector<uint8_t> residual;
  bool has_bias;
};

struct Options {
  bool adds = false;
  const char* activation = "";
  bool float_input = false;
  bool planar_input = false;
};

/// Returns the input in planar order.
std::vector<uint8_t> PlanarInput(const Problem& problem) {
  const ConvolutionGeometry& g = problem.g;
  const int64_t pixels = g.grid.image_size();
  std::vector<uint8_t> planar(static_cast<std::size_t>(g.batch * g.channels_in * pixels));
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t c = 0; c < g.channels_in; ++c) {
      for (int64_t p = 0; p < pixels; ++p) {
        planar[(n * g.channels_in + c) * pixels + p] = problem.input[(n * pixels + p) * problem.in_pixel + c];
      }
    }
  }
  return planar;
}

/// Returns the method's results as floats or as bytes.
template <class T>
std::vector<T> Run(const Problem& problem, const ConvolutionChoice& choice, const Options& options, int threads) {
  const ConvolutionGeometry& g = problem.g;
  const ThreadScope scope(threads);
  const int64_t row = problem.in_pixel * g.grid.image[2];
  const int64_t pixels = g.grid.image_size();
  ImageStrides strides{problem.in_pixel * pixels, g.grid.image[1] * row, row, problem.in_pixel, 1};
  if (options.planar_input) {
    strides = {g.channels_in * pixels, g.grid.image[1] * g.grid.image[2], g.grid.image[2], 1, pixels};
  }
  const ChannelsLastConvolution plan = ScheduleChannelsLast(g, strides, threads, choice);
  std::vector<std::byte> packed(static_cast<std::size_t>(choice.layout().Bytes(WeightShapeOf(g))));
  PackWhole(choice.layout(), WeightShapeOf(g), problem.weight.data(), packed.data());
  std::vector<std::byte> workspace(static_cast<std::size_t>(plan.workspace_bytes + kGuard), kGuardByte);
  std::vector<T> output(problem.residual.size(), T{77});
  std::vector<float> floats(problem.input.size());
  NumbersOfBytes(kInputGrid, static_cast<int64_t>(floats.size()), problem.input.data(), floats.data());
  const Int8Numbers numbers{kInputGrid, kResidualGrid, kOutputGrid, problem.scales.data()};
  const std::vector<uint8_t> input = options.planar_input ? PlanarInput(problem) : problem.input;
  ChannelsLastArrays arrays;
  arrays.input = input.data();
  arrays.input_type = arrays.residual_type = RuntimeDataType::kTypeUInt8;
  if (options.float_input) {
    arrays.input = floats.data();
    arrays.input_type = RuntimeDataType::kTypeFloat32;
  }
  arrays.residual = options.adds ? problem.residual.data() : nullptr;
  arrays.output = output.data();
  arrays.output_type = sizeof(T) == 1 ? RuntimeDataType::kTypeUInt8 : RuntimeDataType::kTypeFloat32;
  arrays.weight = packed.data();
  arrays.bias = problem.has_bias ? problem.bias.data() : nullptr;
  arrays.activation = {FindUnary(options.activation), {-0.5, 0.25, 0}};
  arrays.residual_strides = arrays.output_strides = {problem.out_pixel, problem.out_pixel * g.grid.position_count()};
  arrays.workspace = workspace.data();
  arrays.int8 = &numbers;
  ConvolveChannelsLast(plan, arrays);
  EXPECT_TRUE(std::all_of(workspace.end() - kGuard, workspace.end(), [](std::byte b) { return b == kGuardByte; }));
  return output;
}

void Check(const ConvolutionProblem& given, const ConvolutionChoice& choice, const Options& options, int64_t gap,
           int threads) {
  SCOPED_TRACE(choice.Name() + " " + given.Name() + " " + options.activation + " gap " + std::to_string(gap) +
               " threads " + std::to_string(threads) + " seed " + std::to_string(given.seed));
  const Problem problem(given, gap);
  const ConvolutionGeometry& g = problem.g;
  const std::vector<double> expected = problem.Expected(options.adds, {FindUnary(options.activation), {-0.5, 0.25, 0}});
  const std::vector<float> floats = Run<float>(problem, choice, options, threads);
  const std::vector<uint8_t> bytes = Run<uint8_t>(problem, choice, options, threads);
  std::vector<uint8_t> rounded(bytes.size());
  RoundToBytes(kOutputGrid, static_cast<int64_t>(floats.size()), floats.data(), rounded.data());
  const std::string activation = options.activation;
  const bool in_steps = activation.empty() || activation == "relu";  // these give numbers inside the grid
  const int64_t positions = g.grid.position_count();
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const int64_t c = static_cast<int64_t>(i) % problem.out_pixel;
    const int64_t p = static_cast<int64_t>(i) / problem.out_pixel % positions;
    const int64_t n = static_cast<int64_t>(i) / problem.out_pixel / positions;
    if (c >= g.channels_out) {
      ASSERT_EQ(floats[i], 77) << "the gap is written";
      ASSERT_EQ(bytes[i], 77) << "the gap is written";
      continue;
    }
    const double wanted = expected[(n * g.channels_out + c) * positions + p];
    ASSERT_NEAR(floats[i], wanted, 2e-6 * std::max(8.0, std::abs(wanted))) << i;
    if (!in_steps) {
      ASSERT_EQ(bytes[i], rounded[i]) << i;
    }
    const double q = static_cast<double>(floats[i]) / kOutputGrid.scale + kOutputGrid.zero_point;
    ASSERT_NEAR(bytes[i], std::clamp<double>(q, kOutputGrid.least, kOutputGrid.most), 0.5001) << i;
  }
}

TEST(Int8ConvolutionTest, EveryMethodGivesTheNumbers) {
  constexpr const char* kActivations[] = {"", "relu", "clamp", "silu"};
  std::map<std::string, int> met;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const ConvolutionProblem problem = GenerateProblem(seed);
    for (const ConvolutionChoice& choice : ChoicesFor(problem.geometry)) {
      const ConvolutionMethod& method = *choice.method;
      if (!choice.in_integers() || method.along_channels) continue;
      ++met[choice.Name()];
      const Options options{seed % 3 == 0, kActivations[seed % 4], method.rounds_input && seed % 2 == 0,
                            method.reads_any_order && seed % 2 == 0};
      Check(problem, choice, options, seed % 5, 1 + static_cast<int>(seed % 3));
      if (HasFatalFailure()) return;
    }
  }
  for (const char* name : {"direct, int8", "segments, int8", "rows, int8"}) EXPECT_GE(met[name], 10) << name;
}

/// Returns a problem with channels around the widths of vectors and panels, and rows of windows computed in one piece
/// or several.
ConvolutionProblem DepthwiseProblem(uint32_t seed) {
  std::mt19937 generator(seed);
  const auto pick = [&](std::initializer_list<int64_t> choices) {
    return choices.begin()[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(generator)];
  };
  const int64_t channels = pick({2, 15, 16, 17, 58, 64, 65, 96, 144});
  Window window;
  window.kernel = pick({1, 2, 3, 3, 3, 4, 5, 5, 7, 9});
  window.stride = pick({1, 1, 2, 3});
  window.dilation = pick({1, 1, 1, 2, 3});
  window.padding_begin = pick({0, 1, 2, 4});
  window.padding_end = pick({0, 1, 2, 9});
  const int64_t reach = (window.kernel - 1) * window.dilation + 1;
  const int64_t extent = std::max(pick({1, 5, 7, 14, 33}), reach - window.padding_begin - window.padding_end);
  ConvolutionProblem problem = SquareProblem(pick({1, 1, 2}), channels, channels, extent, window);
  problem.geometry.grid.image[2] += pick({0, 1, 40});
  problem.geometry.groups = channels;
  problem.seed = seed;
  problem.bias = pick({0, 1}) != 0;
  problem.Finish();
  return problem;
}

TEST(Int8ConvolutionTest, DepthwiseGivesTheNumbers) {
  constexpr const char* kActivations[] = {"", "relu", "clamp", "silu"};
  for (uint32_t seed = 0; seed < 150; ++seed) {
    const ConvolutionProblem problem = DepthwiseProblem(seed);
    const ConvolutionChoice choice = ChoiceOf("depthwise, int8", problem.geometry);
    ASSERT_NE(choice.method, nullptr) << problem.Name();
    Check(problem, choice, {seed % 3 == 0, kActivations[seed % 4]}, seed % 5, 1 + static_cast<int>(seed % 3));
    if (HasFatalFailure()) return;
  }
}

/// Returns a problem with channels around the widths of pairs, vectors and panels, and images whose tiles may be
/// partial and are cut into several pieces.
ConvolutionProblem WinogradProblem(uint32_t seed) {
  std::mt19937 generator(seed);
  const auto pick = [&](std::initializer_list<int64_t> choices) {
    return choices.begin()[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(generator)];
  };
  const int64_t inputs = pick({1, 2, 3, 8, 15, 16, 17, 33, 64, 65, 130});
  const int64_t outputs = pick({1, 8, 15, 16, 17, 48, 64, 65, 130});
  Window window;
  window.kernel = 3;
  window.padding_begin = pick({0, 1, 1, 2});
  window.padding_end = pick({0, 1, 1, 2});
  const int64_t extent = std::max(pick({1, 2, 3, 7, 14, 35}), 3 - window.padding_begin - window.padding_end);
  ConvolutionProblem problem = SquareProblem(pick({1, 1, 2, 3}), inputs, outputs, extent, window);
  problem.geometry.grid.image[2] += pick({0, 1, 40});
  problem.seed = seed;
  problem.bias = pick({0, 1}) != 0;
  problem.Finish();
  return problem;
}

TEST(Int8ConvolutionTest, WinogradGivesTheNumbers) {
  constexpr const char* kActivations[] = {"", "relu", "clamp", "silu"};
  for (const char* const name : kWinogradMethods) {
    for (uint32_t seed = 0; seed < 150; ++seed) {
      const ConvolutionProblem problem = WinogradProblem(seed);
      const ConvolutionChoice choice = ChoiceOf(name, problem.geometry);
      ASSERT_NE(choice.method, nullptr) << problem.Name();
      Check(problem, choice, {seed % 3 == 0, kActivations[seed % 4]}, seed % 5, 1 + static_cast<int>(seed % 3));
      if (HasFatalFailure()) return;
    }
  }
}

/// Winograd sums are four times as large as the results. The largest depth that fits is computed, a larger one is
/// refused.
TEST(Int8ConvolutionTest, WinogradOfTheLargestSums) {
  for (const char* const name : kWinogradMethods) {
    ConvolutionProblem problem = SquareProblem(1, 1820, 16, 4, {3, 1, 1, 1, 1});
    for (const uint32_t seed : {kLargestSums, kSmallestSums}) {
      problem.seed = seed;
      const ConvolutionChoice choice = ChoiceOf(name, problem.geometry);
      ASSERT_NE(choice.method, nullptr);
      Check(problem, choice, {}, 0, 1);
    }
    problem = SquareProblem(1, 1821, 16, 4, {3, 1, 1, 1, 1});
    EXPECT_EQ(ChoiceOf(name, problem.geometry).method, nullptr);
  }
}

/// Without padding, the gaps alone make a copy necessary.
TEST(Int8ConvolutionTest, WindowsOverPixelsWithGaps) {
  for (const int64_t channels : {3, 16}) {
    const ConvolutionProblem problem = SquareProblem(2, channels, 24, 31, {3, 1, 0, 0, 1});
    for (const ConvolutionChoice& choice : ChoicesFor(problem.geometry)) {
      if (!choice.in_integers()) continue;
      for (const int64_t gap : {0, 5}) Check(problem, choice, {true, "relu"}, gap, 2);
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/convolution/channels_last.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_choices.hpp"
#include "kernel/convolution/convolution_problem.hpp"
#include "kernel/elementwise/functions.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/product_kernels.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Converts a row-major (batch, channels, pixels) array to (batch, pixels, channels + gap).
std::vector<float> ChannelsLast(const std::vector<float>& planar, int64_t batch, int64_t channels, int64_t pixels,
                                int64_t gap, float filling) {
  std::vector<float> result(static_cast<std::size_t>(batch * pixels * (channels + gap)), filling);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t p = 0; p < pixels; ++p) {
        result[(n * pixels + p) * (channels + gap) + c] = planar[(n * channels + c) * pixels + p];
      }
    }
  }
  return result;
}

/// Rounds numbers to bfloat16.
std::vector<uint16_t> Rounded(const std::vector<float>& numbers) {
  std::vector<uint16_t> rounded(numbers.size());
  PortableBFloat16Tiles().round(numbers.data(), static_cast<int64_t>(numbers.size()), rounded.data());
  return rounded;
}

std::vector<float> Widened(const std::vector<uint16_t>& numbers) {
  std::vector<float> widened(numbers.size());
  PortableBFloat16Tiles().widen(numbers.data(), static_cast<int64_t>(numbers.size()), widened.data());
  return widened;
}

struct Options {
  bool residual = false;
  const char* activation = "";
  int64_t gap = 0;
  int threads = 2;
  ConvolutionChoice choice = {};  ///< without a method: the planner's choice
  bool factors = false;
  bool planar = false;  ///< the image is row-major
};

/// Packs a weight. If the layout can be unpacked, checks that unpacking gives the same weight.
std::vector<float> Packed(const PackedLayout& layout, const WeightShape& shape, const std::vector<float>& weight) {
  const auto bytes = static_cast<std::size_t>(layout.Bytes(shape));
  EXPECT_EQ(bytes % sizeof(float), 0U);
  std::vector<float> packed(bytes / sizeof(float) + kGuard, kSentinel<float>);
  PackWhole(layout, shape, weight.data(), packed.data());
  EXPECT_TRUE(std::all_of(packed.end() - kGuard, packed.end(), [](float x) { return x == kSentinel<float>; }));
  if (layout.Reversible()) {
    std::vector<float> unpacked(weight.size() + kGuard, kSentinel<float>);
    layout.Unpack(shape, packed.data(), unpacked.data());
    EXPECT_TRUE(std::equal(weight.begin(), weight.end(), unpacked.begin()));
    EXPECT_TRUE(std::all_of(unpacked.end() - kGuard, unpacked.end(), [](float x) { return x == kSentinel<float>; }));
  }
  return packed;
}

/// Compares a run with arrays of bfloat16 numbers, as far as the choice reads and writes them, with one of float32
/// arrays of the same numbers, whose results are rounded. `numbers` are those of the output.
void CheckStored(const ChannelsLastConvolution& plan, ChannelsLastArrays arrays, const std::vector<float>& input,
                 const std::vector<float>& residual, std::size_t numbers) {
  const bool any = plan.method->stores_bfloat16 && UsedIsa() >= Isa::kAvx512;
  const bool reads = any || plan.product->RoundsToBFloat16();
  const int64_t most = plan.product->MostRoundedDepth();
  const bool writes = any || (most > 0 && plan.geometry.group_depth() <= most);
  const std::vector<uint16_t> stored_input = Rounded(input);
  const std::vector<uint16_t> stored_residual = Rounded(residual);
  const std::vector<float> same_input = Widened(stored_input);
  const std::vector<float> same_residual = Widened(stored_residual);
  std::vector<float> wanted(numbers, 77.0F);
  if (reads) arrays.input = same_input.data();
  if (writes && arrays.residual != nullptr) arrays.residual = same_residual.data();
  arrays.output = wanted.data();
  ConvolveChannelsLast(plan, arrays);
  std::vector<uint16_t> found(numbers, Rounded({77.0F}).front());
  std::vector<float> found_floats(numbers, 77.0F);
  if (reads) {
    arrays.input = stored_input.data();
    arrays.input_type = RuntimeDataType::kTypeBFloat16;
  }
  if (writes) {
    if (arrays.residual != nullptr) {
      arrays.residual = stored_residual.data();
      arrays.residual_type = RuntimeDataType::kTypeBFloat16;
    }
    arrays.output = found.data();
    arrays.output_type = RuntimeDataType::kTypeBFloat16;
  } else {
    arrays.output = found_floats.data();
  }
  ConvolveChannelsLast(plan, arrays);
  if (!writes) {
    ASSERT_EQ(found_floats, wanted) << "image in bfloat16";
  } else if (plan.method->along_channels && !arrays.activation.Bounds()) {
    // Numbers may be rounded before the activation, too.
    const std::vector<float> widened = Widened(found);
    for (std::size_t i = 0; i < numbers; ++i) {
      ASSERT_NEAR(widened[i], wanted[i], 0.03 * std::max(1.0F, std::abs(wanted[i]))) << "arrays in bfloat16, at " << i;
    }
  } else {
    ASSERT_EQ(found, Rounded(wanted)) << "arrays in bfloat16";
  }
}

/// Compares with the planar convolution in double, which convolution_test compares with the definition.
void Check(const ConvolutionProblem& problem, const Options& options) {
  const ConvolutionGeometry& g = problem.geometry;
  const ConvolutionChoice choice =
      options.choice.method != nullptr ? options.choice : ChooseMethod(g, true, ChoiceAmong(Floats(), options.threads));
  SCOPED_TRACE(choice.Name() + " " + problem.Name() + " " + options.activation + " gap " + std::to_string(options.gap) +
               " threads " + std::to_string(options.threads) + (options.factors ? " factors" : "") +
               (options.planar ? " planar" : "") + " seed " + std::to_string(problem.seed));
  const ThreadScope scope(options.threads);
  const Activation activation{FindUnary(options.activation), {-0.5, 0.25, 0}};
  const int64_t depth = g.channels_in / g.groups * g.grid.taps();
  const int64_t pixels = g.grid.image_size();
  const int64_t positions = g.grid.position_count();
  auto input = RandomVector<float>(g.batch * g.channels_in * pixels, problem.seed);
  auto weight = RandomVector<float>(g.channels_out * depth, problem.seed + 1);
  if (choice.product->RoundsToBFloat16() && choice.method->rounding > 1) {
    // Transformed factors are rounded: few steps leave them numbers that bfloat16 holds.
    for (float& x : input) x = std::round(8 * x) / 8;
    for (float& x : weight) x = std::round(4 * x) / 4;
  }
  const auto bias = RandomVector<float>(g.channels_out, problem.seed + 2);
  const auto residual = RandomVector<float>(g.batch * g.channels_out * positions, problem.seed + 3);
  const auto factors = RandomVector<float>(g.batch * g.channels_in, problem.seed + 4);

  std::vector<double> expected(residual.size());
  {
    const ConvolutionSchedule schedule = ScheduleConvolution(g, sizeof(double), 1);
    std::vector<std::byte> workspace(static_cast<std::size_t>(schedule.workspace_bytes));
    const bool rounds = choice.product->RoundsToBFloat16();
    const auto factor_of = [&](double number) { return rounds ? float{BFloat16(static_cast<float>(number))} : number; };
    std::vector<double> x(input.begin(), input.end());
    for (std::size_t i = 0; i < x.size() && options.factors; ++i) x[i] *= factors[i / pixels];
    std::vector<double> w(weight.begin(), weight.end());
    std::transform(x.begin(), x.end(), x.begin(), factor_of);
    std::transform(w.begin(), w.end(), w.begin(), factor_of);
    const std::vector<double> b(bias.begin(), bias.end());
    Convolution<double>(g, schedule, x.data(), {w.data(), nullptr, problem.bias ? b.data() : nullptr}, {},
                        expected.data(), workspace.data());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (options.residual) expected[i] += residual[i];
    activation.Apply(&expected[i], 1);
  }

  const float filling = 77;
  const auto image = ChannelsLast(input, g.batch, g.channels_in, pixels, options.gap, filling);
  const auto other = ChannelsLast(residual, g.batch, g.channels_out, positions, options.gap, filling);
  const int64_t pixel = g.channels_in + options.gap;
  const ImageStrides in{pixel * pixels, 0, pixel * g.grid.image[2], pixel, 1};
  const int64_t row = g.grid.image[2];
  const ImageStrides planar{g.channels_in * pixels, g.grid.image[1] * row, row, 1, pixels};
  const PixelStrides out{g.channels_out + options.gap, (g.channels_out + options.gap) * positions};
  const ChannelsLastConvolution plan = ScheduleChannelsLast(g, options.planar ? planar : in, options.threads, choice);
  const std::vector<float> packed = Packed(choice.layout(), WeightShapeOf(g), weight);
  std::vector<std::byte> workspace(plan.workspace_bytes + kGuard, kGuardByte);
  std::vector<float> output(static_cast<std::size_t>(g.batch * out.image), filling);
  ChannelsLastArrays arrays;
  arrays.input = options.planar ? input.data() : image.data();
  arrays.factors = options.factors ? factors.data() : nullptr;
  arrays.weight = packed.data();
  arrays.bias = problem.bias ? bias.data() : nullptr;
  arrays.residual = options.residual ? other.data() : nullptr;
  arrays.residual_strides = arrays.output_strides = out;
  arrays.activation = activation;
  arrays.output = output.data();
  arrays.workspace = workspace.data();
  ConvolveChannelsLast(plan, arrays);

  ASSERT_NO_FATAL_FAILURE(CheckStored(plan, arrays, options.planar ? input : image, other, output.size()));

  // Two pieces lose 2^-16 of a product.
  const double left_out = choice.product->format.pieces == 2 ? 1.6e-5 * std::sqrt(static_cast<double>(depth)) : 0;
  const double allowed = 2 * choice.method->rounding * SumTolerance<float>(depth + 2) + left_out;
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t p = 0; p < positions; ++p) {
      for (int64_t c = 0; c < out.pixel; ++c) {
        const float actual = output[n * out.image + p * out.pixel + c];
        const double wanted = c < g.channels_out ? expected[(n * g.channels_out + c) * positions + p] : filling;
        ASSERT_NEAR(actual, wanted, allowed) << "image " << n << " position " << p << " channel " << c;
      }
    }
  }
  EXPECT_TRUE(std::all_of(workspace.end() - kGuard, workspace.end(), [](std::byte b) { return b == kGuardByte; }));
}

class ChannelsLastTest : public testing::Test {
  void SetUp() override {
    if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "these kernels are not made for this CPU";
  }
};

/// Checks every method with every float kernel that suits the problem, and each method's other abilities. Counts the
/// methods.
void CheckAll(const ConvolutionProblem& problem, Options options, std::map<std::string, int>& met) {
  for (const ConvolutionChoice& choice : ChoicesFor(problem.geometry)) {
    if (choice.in_integers()) continue;
    options.choice = choice;
    options.factors = choice.method->takes_factors && problem.seed % 2 == 0;
    options.planar = choice.method->reads_any_order && problem.seed % 2 == 0;
    ++met[choice.Name()];
    ASSERT_NO_FATAL_FAILURE(Check(problem, options));
  }
}

TEST_F(ChannelsLastTest, EveryMethodEqualsThePlanarConvolutionWhereItSuits) {
  constexpr const char* kActivations[] = {"", "relu", "clamp", "silu", "hardswish"};
  std::map<std::string, int> met;
  for (uint32_t seed = 0; seed < 420; ++seed) {
    const Options options{seed % 3 == 0, kActivations[seed % 5], seed % 7, 1 + static_cast<int>(seed % 3)};
    ConvolutionProblem problem = GenerateProblem(seed);
    CheckAll(problem, options, met);
    if (HasFatalFailure()) return;
    if (problem.geometry.grid.image[0] > 1 || seed % 4 != 0) continue;
    problem.geometry.grid.window = {Window{}, Window{3, 1, 1, 1, 1}, Window{3, 1, 1, 2, 1}};
    problem.Finish();
    CheckAll(problem, options, met);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(met.size(), 6U + 3 * 4)
      << "depthwise, grouped and Winograd's of float32, its smallest tiles of bfloat16; the others with four kernels";
  for (const auto& [name, count] : met) EXPECT_GE(count, 10) << name;
  EXPECT_GE(met["rows"], 420);
}

/// Without padding, the gaps alone make a copy necessary.
TEST_F(ChannelsLastTest, WindowsOverPixelsWithGaps) {
  std::map<std::string, int> met;
  for (const int64_t channels : {3, 16}) {
    for (const int64_t stride : {1, 2}) {
      const ConvolutionProblem problem = SquareProblem(2, channels, 24, 31, {3, stride, 0, 0, 1});
      ASSERT_EQ(problem.seed % 2, 1U) << "CheckAll makes planar images of even ones";
      for (const int64_t gap : {0, 5}) CheckAll(problem, {false, "", gap, 2}, met);
    }
  }
}

TEST_F(ChannelsLastTest, Depthwise) {
  uint32_t seed = 1000;
  for (int64_t kernel : {1, 2, 3, 5, 7}) {
    for (int64_t stride : {1, 2, 3}) {
      for (int64_t padding : {0, 1, 3}) {
        for (int64_t extent : {5, 7, 9, 12, 17, 28}) {
          ConvolutionProblem problem;
          problem.seed = seed++;
          problem.bias = seed % 2 == 0;
          problem.geometry.batch = 1 + seed % 2;
          problem.geometry.channels_in = problem.geometry.groups = problem.geometry.channels_out = 2 + seed * 7 % 191;
          problem.geometry.grid.image = {1, extent, extent + 2};
          const int64_t dilation = seed % 5 == 0 ? 2 : 1;
          if (extent + 2 * padding <= dilation * (kernel - 1)) continue;
          problem.geometry.grid.window[1] = {kernel, stride, padding, padding, dilation};
          problem.geometry.grid.window[2] = {kernel, stride, padding, padding / 2, dilation};
          problem.Finish();
          for (const char* activation : {"clamp", "silu", "hardswish"}) {
            Check(problem, {seed % 2 == 0, activation, seed % 3, 2});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

/// Groups of few channels: several groups share a vector, and the last vector may be partial.
TEST_F(ChannelsLastTest, SmallGroups) {
  uint32_t seed = 3000;
  std::map<std::string, int> met;
  for (const auto& [inputs, outputs] :
       {std::pair<int64_t, int64_t>{1, 2}, {2, 2}, {1, 4}, {4, 4}, {3, 4}, {5, 8}, {8, 8}, {16, 16}, {4, 2}}) {
    for (int64_t groups : {2, 3, 5, 16}) {
      for (int64_t stride : {1, 2}) {
        ConvolutionProblem problem;
        problem.seed = seed++;
        problem.bias = seed % 2 == 0;
        ConvolutionGeometry& g = problem.geometry;
        g.batch = 1 + seed % 2;
        g.groups = groups;
        g.channels_in = groups * inputs;
        g.channels_out = groups * outputs;
        const int64_t kernel = 1 + seed % 4;
        g.grid.image = {1, 7 + seed % 3, 6 + seed % 9};
        g.grid.window[1] = {kernel, stride, kernel / 2, kernel / 2, 1 + seed % 2};
        g.grid.window[2] = {kernel, stride, kernel / 2, kernel / 3, 1 + seed % 2};
        problem.Finish();
        const char* activation = seed % 4 == 0 ? "clamp" : "silu";
        CheckAll(problem, {seed % 3 == 0, activation, seed % 3, 1 + static_cast<int>(seed % 2)}, met);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GE(met["grouped"], 40);  // on vectors of 4 numbers, more on wider ones
}

TEST_F(ChannelsLastTest, Winograd) {
  uint32_t seed = 5000;
  for (const char* const name : {"winograd2", "winograd4", "winograd6"}) {
    for (int64_t height : {1, 3, 4, 5, 9, 14}) {
      for (int64_t width : {2, 4, 7, 17}) {
        for (int64_t padding : {0, 1, 2}) {
          ConvolutionProblem problem;
          problem.seed = seed++;
          problem.bias = seed % 2 == 0;
          ConvolutionGeometry& g = problem.geometry;
          g.batch = 1 + seed % 2;
          g.channels_in = 1 + seed * 7 % 41;
          g.channels_out = 1 + seed * 11 % 70;
          g.grid.image = {1, height, width};
          g.grid.window[1] = {3, 1, padding, padding, 1};
          g.grid.window[2] = {3, 1, padding, padding + static_cast<int64_t>(seed % 2), 1};
          if (height + 2 * padding < 3 || width + 2 * padding < 3) continue;
          problem.Finish();
          const ConvolutionChoice choice = ChoiceOf(name, g);
          ASSERT_NE(choice.method, nullptr);
          const char* activation = seed % 3 == 0 ? "clamp" : "silu";
          Check(problem, {seed % 2 == 0, activation, seed % 3, 1 + static_cast<int>(seed % 3), choice});
          if (HasFatalFailure()) return;
        }
      }
    }
    // Many tiles are cut into pieces for threads; many channels share a product.
    ConvolutionProblem large = SquareProblem(2, 48, 70, 37, {3, 1, 1, 1, 1});
    const ConvolutionChoice choice = ChoiceOf(name, large.geometry);
    Check(large, {true, "relu", 0, 2, choice});
    Check(SquareProblem(1, 300, 130, 7, {3, 1, 1, 1, 1}), {true, "relu", 0, 2, choice});
    large.geometry.batch = 0;
    Check(large, {false, "relu", 0, 2, choice});
  }
}

/// Returns the root mean square of the errors of a 3x3 convolution with 64 channels, relative to that of the results.
double RelativeError(const char* name) {
  constexpr int64_t kChannels = 64;
  constexpr int64_t kExtent = 24;
  const ConvolutionGeometry g = SquareProblem(1, kChannels, kChannels, kExtent, {3, 1, 1, 1, 1}).geometry;
  const ConvolutionChoice choice = ChoiceOf(name, g);
  const auto input = RandomVector<float>(kExtent * kExtent * kChannels, 1);
  const auto weight = RandomVector<float>(kChannels * kChannels * 9, 2);
  const ChannelsLastConvolution plan =
      ScheduleChannelsLast(g, {kExtent * kExtent * kChannels, 0, kExtent * kChannels, kChannels, 1}, 1, choice);
  const std::vector<float> packed = Packed(choice.layout(), WeightShapeOf(g), weight);
  std::vector<std::byte> workspace(static_cast<std::size_t>(plan.workspace_bytes));
  std::vector<float> output(input.size());
  ChannelsLastArrays arrays;
  arrays.input = input.data();
  arrays.weight = packed.data();
  arrays.output_strides = {kChannels, kChannels * kExtent * kExtent};
  arrays.output = output.data();
  arrays.workspace = workspace.data();
  ConvolveChannelsLast(plan, arrays);
  double errors = 0;
  double squares = 0;
  for (int64_t i = 0; i < kExtent * kExtent; ++i) {
    for (int64_t c = 0; c < kChannels; ++c) {
      double sum = 0;
      for (int64_t tap = 0; tap < 9; ++tap) {
        const int64_t y = i / kExtent + tap / 3 - 1;
        const int64_t x = i % kExtent + tap % 3 - 1;
        if (y < 0 || x < 0 || y >= kExtent || x >= kExtent) continue;
        for (int64_t k = 0; k < kChannels; ++k) {
          sum += static_cast<double>(input[(y * kExtent + x) * kChannels + k]) * weight[(c * kChannels + k) * 9 + tap];
        }
      }
      const double error = output[i * kChannels + c] - sum;
      errors += error * error;
      squares += sum * sum;
    }
  }
  return std::sqrt(errors / squares);
}

TEST_F(ChannelsLastTest, WinogradIsLessExactTheLargerItsTile) {
  EXPECT_LE(RelativeError("rows"), 4e-7);
  EXPECT_LE(RelativeError("winograd2"), 4e-7);
  EXPECT_LE(RelativeError("winograd4"), 1.1e-6);
  EXPECT_LE(RelativeError("winograd6"), 5e-6);
  EXPECT_LE(RelativeError("rows, bfloat16"), 3.1e-3);
  EXPECT_LE(RelativeError("winograd2, bfloat16"), 5.9e-3);
}

TEST_F(ChannelsLastTest, LargeOnesRunInPiecesOnAllThreads) {
  const ConvolutionProblem cut = SquareProblem(1, 64, 8, 56, {3, 1, 1, 1, 1});
  const ConvolutionChoice rows = ChoiceOf("rows", cut.geometry);
  const ChannelsLastConvolution plan = ScheduleChannelsLast(cut.geometry, {64 * 56 * 56, 0, 64 * 56, 64, 1}, 2, rows);
  EXPECT_EQ(plan.workers, 2);
  EXPECT_LT(plan.tile, 56 * 56);
  Check(cut, {true, "relu", 0, 2, rows});
  Check(SquareProblem(1, 300, 130, 7, {3, 1, 1, 1, 1}), {true, "relu", 0, 2, rows});
  Check(SquareProblem(3, 32, 24, 20, {1, 1, 0, 0, 1}), {true, "relu", 0, 2});
  Check(SquareProblem(3, 32, 24, 20, {1, 1, 0, 0, 1}), {true, "relu", 1, 2});
  Check(SquareProblem(2, 32, 24, 21, {1, 2, 0, 0, 1}), {false, "", 0, 3});
}

TEST_F(ChannelsLastTest, EmptyBatchAndNoInputChannels) {
  Check(SquareProblem(0, 3, 4, 8, {3, 1, 1, 1, 1}), {});
  Check(SquareProblem(2, 0, 4, 8, {3, 1, 1, 1, 1}), {});
}

TEST_F(ChannelsLastTest, WorkspaceStaysBoundedForLargeImages) {
  ConvolutionGeometry geometry;
  geometry.channels_in = geometry.channels_out = 4096;
  geometry.grid.image = {1, 4000, 4000};
  geometry.grid.window[1] = geometry.grid.window[2] = {3, 1, 1, 1, 1};
  geometry.grid.positions = {1, 4000, 4000};
  const ImageStrides steps{int64_t{4096} * 4000 * 4000, 0, 4096 * 4000, 4096, 1};
  EXPECT_LE(ScheduleChannelsLast(geometry, steps, 2, ChoiceOf("rows", geometry)).workspace_bytes, 4 << 20);
  EXPECT_LE(ScheduleChannelsLast(geometry, steps, 2, ChoiceOf("winograd4", geometry)).workspace_bytes, 64 << 20);
}

}  // namespace
}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_chain.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution_choices.hpp"
#include "kernel/elementwise/functions.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A stage: a convolution to `channels` (0: a depthwise one) in `groups`.
struct Stage {
  int64_t channels = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  bool planar = false;  ///< whether the image's channels lie in planes
};

struct Problem {
  int64_t batch = 1;
  int64_t channels = 5;
  int64_t height = 9;
  int64_t width = 8;
  std::vector<Stage> stages;
  bool rounds = false;  ///< products are of bfloat16 numbers, which pass between the stages
};

ChannelsLastConvolution PlanStage(const Problem& problem, const Stage& stage, int64_t channels, const Extents3& image) {
  ConvolutionGeometry geometry;
  geometry.batch = problem.batch;
  geometry.channels_in = channels;
  geometry.channels_out = stage.channels > 0 ? stage.channels : channels;
  geometry.groups = stage.channels > 0 ? stage.groups : channels;
  geometry.grid.image = image;
  for (std::size_t axis : {1, 2}) {
    Window& window = geometry.grid.window[axis];
    window.kernel = stage.kernel;
    window.stride = stage.stride;
    window.dilation = stage.dilation;
    window.padding_begin = window.padding_end = stage.padding;
    const int64_t reach = (stage.kernel - 1) * stage.dilation + 1;
    geometry.grid.positions[axis] = (image[axis] + 2 * stage.padding - reach) / stage.stride + 1;
  }
  const int64_t pixels = image[1] * image[2];
  const char* name = stage.channels == 0 ? "depthwise" : stage.kernel == 1 ? "direct" : "segments";
  const ImageStrides planes{channels * pixels, 0, image[2], 1, pixels};
  const ImageStrides pixel_by_pixel{pixels * channels, 0, image[2] * channels, channels, 1};
  ConvolutionChoice choice = MethodOfFloats(name);
  if (problem.rounds && stage.channels != 0) choice.product = &Split(1);
  return ScheduleChannelsLast(geometry, stage.planar ? planes : pixel_by_pixel, 1, choice);
}

/// Compares the chain, in bands of any height, with its stages one after the other. Both add up the same sums, so the
/// bits are equal.
void Check(const Problem& problem, int threads, int64_t band, bool adds) {
  SCOPED_TRACE("batch " + std::to_string(problem.batch) + ", " + std::to_string(problem.height) + "x" +
               std::to_string(problem.width) + ", threads " + std::to_string(threads) + ", band " +
               std::to_string(band) + (adds ? ", adds" : "") + (problem.rounds ? ", in bfloat16" : ""));
  const ThreadScope scope(threads);
  ConvolutionChain chain;
  if (problem.rounds) chain.between = RuntimeDataType::kTypeBFloat16;
  std::array<ChannelsLastArrays, ConvolutionChain::kMost> arrays;
  std::vector<std::vector<float>> weights;
  std::vector<std::vector<float>> biases;
  std::vector<std::vector<float>> images;
  Extents3 image{1, problem.height, problem.width};
  images.push_back(RandomVector<float>(problem.batch * problem.height * problem.width * problem.channels, 1));
  std::vector<float> residual;
  for (const Stage& given : problem.stages) {
    const int64_t channels = chain.count == 0 ? problem.channels : chain.stages[chain.count - 1].geometry.channels_out;
    const ChannelsLastConvolution stage = PlanStage(problem, given, channels, image);
    ASSERT_TRUE(CanBeChained(stage, chain.count == 0));
    const ConvolutionGeometry& g = stage.geometry;
    const auto plain = RandomVector<float>(g.channels_out * g.group_depth(), 2 + chain.count);
    const PackedLayout& layout = stage.method->layout(*stage.product);
    weights.emplace_back(static_cast<std::size_t>(layout.Bytes(WeightShapeOf(g))) / sizeof(float));
    PackWhole(layout, WeightShapeOf(g), plain.data(), weights.back().data());
    biases.push_back(RandomVector<float>(g.channels_out, 7 + chain.count));
    const int64_t positions = g.grid.positions[1] * g.grid.positions[2];
    ChannelsLastArrays single;
    single.input = images.back().data();
    single.weight = weights.back().data();
    single.bias = biases.back().data();
    single.activation = {FindUnary("relu"), {}};
    const bool last = weights.size() == problem.stages.size();
    if (chain.count > 0) single.input_type = chain.between;
    if (!last) single.output_type = chain.between;
    if (last && adds) {
      residual = RandomVector<float>(problem.batch * positions * g.channels_out, 9);
      single.residual = residual.data();
      single.residual_strides = {g.channels_out, positions * g.channels_out};
    }
    std::vector<float> output(static_cast<std::size_t>(problem.batch * positions * g.channels_out));
    single.output = output.data();
    single.output_strides = {g.channels_out, positions * g.channels_out};
    std::vector<std::byte> scratch(static_cast<std::size_t>(stage.workspace_bytes));
    single.workspace = scratch.data();
    ConvolveChannelsLast(stage, single);
    arrays[chain.count] = single;
    images.push_back(std::move(output));
    AddStage(stage, threads, chain);
    image = g.grid.positions;
  }
  if (band > 0) SetBand(band, chain);
  const std::vector<float>& expected = images.back();
  std::vector<float> found(expected.size(), -1.0F);
  std::vector<std::byte> workspace(static_cast<std::size_t>(chain.workspace_bytes) + 1);
  arrays[0].input = images.front().data();
  arrays[chain.count - 1].output = found.data();
  arrays[chain.count - 1].workspace = workspace.data();
  ConvolveChain(chain, arrays);
  EXPECT_EQ(expected, found);
}

TEST(ConvolutionChain, EqualsItsStages) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  const Stage expand{37};
  const Stage project{6};
  const std::vector<std::vector<Stage>> chains = {
      {expand, {0, 3, 1, 1}, project},
      {expand, {0, 3, 2, 1}, project},
      {expand, {0, 5, 2, 2}},
      {{0, 3, 1, 1}, project},
      {expand, {0, 7, 1, 3}, project},
      {expand, {0, 3, 1, 2, 2}, project},
      {expand, {0, 2, 3, 0}, project},
      {{0, 3, 1, 1}, {0, 3, 2, 1}, {0, 3, 1, 1}},
      {expand, project, {0, 3, 1, 1}},
      {expand, {0, 1, 2, 1}, project},
      {{36}, {0, 3, 1, 1}, {12, 1, 1, 0, 1, 3}},
      {{16, 3, 2, 1, 1, 1, true}, {0, 3, 2, 1}, project},
      {{9, 3, 1, 0, 1, 1, true}, {0, 5, 1, 2}},
      {{20, 5, 2, 3, 1, 1}, {0, 3, 1, 1}, expand},
      {{20, 3, 1, 0, 1, 1}, project},
      {{7, 2, 1, 4, 2, 1, true}, project},
  };
  for (const std::vector<Stage>& stages : chains) {
    for (const auto& [batch, height, width] : {std::array<int64_t, 3>{1, 9, 8}, {1, 23, 16}, {3, 7, 15}, {2, 14, 14}}) {
      const Problem problem{batch, 5, height, width, stages};
      for (const int threads : {1, 2, 3}) {
        for (const int64_t band : {0, 1, 2, 5}) Check(problem, threads, band, band == 2);
        if (UsedIsa() < Isa::kAvx512) continue;  // without kernels for bfloat16 images
        Check({batch, 5, height, width, stages, true}, threads, threads, threads == 2);
      }
    }
  }
}

TEST(ConvolutionChain, StagesArePlaneConvolutionsByMethodsThatComputeSomeRows) {
  const Problem problem;
  ChannelsLastConvolution stage = PlanStage(problem, {4}, 5, {1, 9, 8});
  EXPECT_TRUE(CanBeChained(stage, true));
  stage.method = MethodOfFloats("rows").method;
  EXPECT_FALSE(CanBeChained(stage, true));
  stage = PlanStage(problem, {0, 3, 1, 1}, 5, {1, 9, 8});
  EXPECT_TRUE(CanBeChained(stage, false));
  stage.geometry.grid.positions[0] = stage.geometry.grid.image[0] = 2;
  EXPECT_FALSE(CanBeChained(stage, false));
}

/// Products in integers need grids, which a chain doesn't hand on.
TEST(ConvolutionChain, StagesAreOfFloats) {
  if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "no packed weights on this CPU, or with this KUIPER_ISA";
  const Problem problem{1, 16, 9, 8, {}};
  for (const Stage& stage : {Stage{32}, Stage{32, 3, 1, 0}}) {
    ChannelsLastConvolution planned = PlanStage(problem, stage, 16, {1, 9, 8});
    EXPECT_TRUE(CanBeChained(planned, true));
    planned.product = &Bytes();
    EXPECT_FALSE(CanBeChained(planned, true));
  }
}

TEST(ConvolutionChain, OnlyTheFirstStageMayNeedScratchMemory) {
  const ChannelsLastConvolution padded = PlanStage({}, {4, 3, 1, 1}, 5, {1, 9, 8});
  EXPECT_TRUE(CanBeChained(padded, true));
  EXPECT_FALSE(CanBeChained(padded, false));
}

TEST(ConvolutionChain, PaysForLargeImagesOnly) {
  EXPECT_TRUE(IsWorthChaining(PlanStage({}, {96}, 16, {1, 112, 112})));
  EXPECT_FALSE(IsWorthChaining(PlanStage({}, {96}, 16, {1, 14, 14})));
}

}  // namespace
}  // namespace kuiper_infer::kernel

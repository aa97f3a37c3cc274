// SPDX-License-Identifier: MIT
// Pooling and resizing of channels-last images against their planar twins.
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/normalization/channels_last_norm.hpp"
#include "kernel/normalization/row_normalization.hpp"
#include "kernel/pooling/channels_last_pooling.hpp"
#include "kernel/pooling/pooling.hpp"
#include "kernel/random_data.hpp"
#include "kernel/sampling/channels_last_resize.hpp"
#include "shape/window.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// `found` has gaps of kGap between its pixels, which nobody may touch.
constexpr int64_t kGap = 3;
constexpr float kUntouched = 77.0F;

/// Planar (batch, channels, pixels) as pixels of `pitch` floats.
std::vector<float> ChannelsLast(const std::vector<float>& planar, int64_t batch, int64_t channels, int64_t pixels,
                                int64_t pitch) {
  std::vector<float> result(static_cast<std::size_t>(batch * pixels * pitch), kUntouched);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t p = 0; p < pixels; ++p) {
        result[(n * pixels + p) * pitch + c] = planar[(n * channels + c) * pixels + p];
      }
    }
  }
  return result;
}

void ExpectEqual(const std::vector<float>& planar, const std::vector<float>& found, int64_t batch, int64_t channels,
                 double tolerance) {
  const auto pixels = static_cast<int64_t>(planar.size()) / batch / channels;
  const std::vector<float> expected = ChannelsLast(planar, batch, channels, pixels, channels + kGap);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]) && std::isnan(found[i])) continue;
    ASSERT_NEAR(expected[i], found[i], tolerance) << "element " << i;
  }
}

struct Images {
  int64_t batch, channels, gap;
};
constexpr Images kImages[] = {{1, 1, 1}, {1, 16, 0}, {2, 17, 3}, {1, 70, 0}, {3, 5, 2}, {1, 200, 0}};

ChannelsLastPooling MakePooling(const Images& images, const WindowGrid& grid, const AverageDivisor* divisor) {
  ChannelsLastPooling pooling;
  pooling.maximum = divisor == nullptr;
  pooling.fixed_divisor = divisor != nullptr ? static_cast<double>(divisor->fixed) : 0;
  pooling.batch = images.batch;
  pooling.channels = images.channels;
  pooling.image = grid.image;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Window& window = grid.window[axis];
    pooling.dilation[axis] = window.dilation;
    for (int64_t o = 0; o < grid.positions[axis]; ++o) {
      const int64_t part = divisor != nullptr ? divisor->AxisPart(window, grid.image[axis], o) : 1;
      pooling.axes[axis].push_back({CoveredElements(window, grid.image[axis], o), part});
    }
  }
  return pooling;
}

TEST(ChannelsLastImageTest, PoolingEqualsThePlanarOne) {
  uint32_t seed = 1;
  for (const Images& images : kImages) {
    for (const Window& window : {Window{2, 2, 0, 0, 1}, Window{3, 2, 1, 1, 1}, Window{3, 1, 1, 1, 2},
                                 Window{5, 3, 2, 2, 1}, Window{7, 7, 0, 0, 1}}) {
      for (const bool ceil_mode : {false, true}) {
        ++seed;
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                     " seed " + std::to_string(seed));
        const WindowGrid grid = MakeWindowGrid({7 + seed % 5, 9}, {window, window}, ceil_mode);
        const int64_t planes = images.batch * images.channels;
        auto input = RandomVector<float>(planes * grid.image_size(), seed);
        input[input.size() / 2] = std::nanf("");
        const int64_t pitch = images.channels + images.gap;
        const auto image = ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch);
        const PixelStrides steps{pitch, pitch * grid.image_size()};
        const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
        std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
        std::vector<float> found(expected.size() / images.channels * (images.channels + kGap), kUntouched);

        MaxPool<float>(grid, planes, input.data(), expected.data(), nullptr);
        const ChannelsLastPooling maximum = MakePooling(images, grid, nullptr);
        std::vector<float> scratch(static_cast<std::size_t>(PoolingScratch(maximum)));
        PoolChannelsLast(maximum, image.data(), steps, found.data(), to, scratch.data());
        ExpectEqual(expected, found, images.batch, images.channels, 0);
        if (window.dilation != 1) continue;
        for (const AverageDivisor& divisor :
             {AverageDivisor{true, 0}, AverageDivisor{false, 0}, AverageDivisor{true, 7}}) {
          AveragePool<float>(grid, divisor, planes, input.data(), expected.data());
          PoolChannelsLast(MakePooling(images, grid, &divisor), image.data(), steps, found.data(), to, scratch.data());
          ExpectEqual(expected, found, images.batch, images.channels, 1e-5);
        }
      }
    }
  }
}

std::vector<uint8_t> AsBytes(const std::vector<float>& floats) { return {floats.begin(), floats.end()}; }

/// The maxima of bytes are those of the same numbers as floats; of many small windows, and of a few large ones, which
/// are pooled in bands.
TEST(ChannelsLastImageTest, MaximaOfBytesEqualThePlanarOnes) {
  uint32_t seed = 500;
  for (const Images& images : kImages) {
    for (const Window& window :
         {Window{2, 2, 0, 0, 1}, Window{3, 2, 1, 1, 1}, Window{3, 1, 1, 1, 2}, Window{29, 29, 0, 0, 1}}) {
      SCOPED_TRACE("channels " + std::to_string(images.channels) + " window " + std::to_string(window.kernel) +
                   " seed " + std::to_string(++seed));
      const WindowGrid grid = MakeWindowGrid({58, 31}, {window, window}, false);
      const ChannelsLastPooling pooling = MakePooling(images, grid, nullptr);
      EXPECT_EQ(PoolingBands(pooling) > 1, window.kernel == 29);
      const int64_t planes = images.batch * images.channels;
      std::vector<float> input = RandomVector<float>(planes * grid.image_size(), seed);
      for (float& x : input) x = std::floor(128 + 128 * x);
      std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
      MaxPool<float>(grid, planes, input.data(), expected.data(), nullptr);
      const int64_t pitch = images.channels + images.gap;
      const auto image = AsBytes(ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch));
      const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
      for (const int threads : {1, 3}) {
        const ThreadScope scope(threads);
        std::vector<uint8_t> scratch(static_cast<std::size_t>(PoolingScratch(pooling)));
        std::vector<uint8_t> found(expected.size() / images.channels * (images.channels + kGap),
                                   static_cast<uint8_t>(kUntouched));
        PoolChannelsLast(pooling, image.data(), {pitch, pitch * grid.image_size()}, found.data(), to, scratch.data());
        ExpectEqual(expected, {found.begin(), found.end()}, images.batch, images.channels, 0);
      }
    }
  }
}

TEST(ChannelsLastImageTest, FewLargeBoxesArePooledInBandsWhateverTheThreads) {
  uint32_t seed = 300;
  for (const Images& images : kImages) {
    for (const int64_t height : {7, 14, 29}) {
      SCOPED_TRACE("channels " + std::to_string(images.channels) + " height " + std::to_string(height) + " seed " +
                   std::to_string(++seed));
      const WindowGrid grid = MakeWindowGrid({2 * height, 9}, {{height, height, 0, 0, 1}, {9, 9, 0, 0, 1}}, false);
      const AverageDivisor divisor{true, 0};
      const ChannelsLastPooling pooling = MakePooling(images, grid, &divisor);
      EXPECT_GT(PoolingBands(pooling), 1);
      const int64_t planes = images.batch * images.channels;
      const auto input = RandomVector<float>(planes * grid.image_size(), seed);
      const int64_t pitch = images.channels + images.gap;
      const auto image = ChannelsLast(input, images.batch, images.channels, grid.image_size(), pitch);
      const PixelStrides to{images.channels + kGap, (images.channels + kGap) * grid.position_count()};
      std::vector<float> expected(static_cast<std::size_t>(planes * grid.position_count()));
      AveragePool<float>(grid, divisor, planes, input.data(), expected.data());
      std::vector<float> first;
      for (const int threads : {1, 2, 3}) {
        const ThreadScope scope(threads);
        std::vector<float> scratch(static_cast<std::size_t>(PoolingScratch(pooling)));
        std::vector<float> found(expected.size() / images.channels * (images.channels + kGap), kUntouched);
        PoolChannelsLast(pooling, image.data(), {pitch, pitch * grid.image_size()}, found.data(), to, scratch.data());
        ExpectEqual(expected, found, images.batch, images.channels, 1e-5);
        if (first.empty()) first = found;
        EXPECT_EQ(found, first);
      }
    }
  }
}

/// With numbers far from zero, more pixels than a sum in float takes, weights or none, and an activation behind.
TEST(ChannelsLastImageTest, GroupNormEqualsThePlanarOne) {
  uint32_t seed = 1;
  for (const Images& images : kImages) {
    for (const int64_t pixels : {1, 5, 256, 700}) {
      for (const int64_t groups : {int64_t{1}, images.channels}) {
        ++seed;
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " pixels " + std::to_string(pixels) + " groups " +
                     std::to_string(groups) + " seed " + std::to_string(seed));
        const int64_t planes = images.batch * images.channels;
        auto input = RandomVector<float>(planes * pixels, seed);
        for (float& x : input) x += static_cast<float>(seed % 3) * 10;
        const bool affine = seed % 2 == 0;
        const auto weight = RandomVector<float>(images.channels, seed + 1000);
        const auto bias = RandomVector<float>(images.channels, seed + 2000);
        const double eps = 1e-3;
        const Activation activation{FindUnary(seed % 3 == 0 ? "relu" : ""), {}};

        const std::vector<double> x(input.begin(), input.end());
        const std::vector<double> w(weight.begin(), weight.end());
        const std::vector<double> b(bias.begin(), bias.end());
        std::vector<double> y(x.size());
        const NormalizationGeometry geometry{images.batch * groups, groups, images.channels / groups, pixels};
        NormalizeRows<double>(NormalizationKind::kVariance, geometry, eps, x.data(), affine ? w.data() : nullptr,
                              affine ? b.data() : nullptr, y.data());
        activation.Apply(y.data(), static_cast<int64_t>(y.size()));

        const int64_t pitch = images.channels + images.gap;
        const auto image = ChannelsLast(input, images.batch, images.channels, pixels, pitch);
        const int64_t pixel = images.channels + kGap;
        std::vector<float> found(static_cast<std::size_t>(images.batch * pixels * pixel), kUntouched);
        const ChannelsLastNorm norm{images.batch, pixels, images.channels, groups, eps, {pitch, pitch * pixels}};
        std::vector<float> workspace(static_cast<std::size_t>(norm.workspace()));
        NormalizeChannelsLast(norm, image.data(), affine ? weight.data() : nullptr, affine ? bias.data() : nullptr,
                              activation, found.data(), {pixel, pixel * pixels}, workspace.data());
        ExpectEqual({y.begin(), y.end()}, found, images.batch, images.channels, 2e-5);
      }
    }
  }
}

/// Known statistics, the same for all images or each image's own, with a function behind.
TEST(ChannelsLastImageTest, ScalingEqualsTheFormula) {
  uint32_t seed = 1;
  for (const Images& images : kImages) {
    for (const bool shared : {true, false}) {
      ++seed;
      SCOPED_TRACE("channels " + std::to_string(images.channels) + " seed " + std::to_string(seed));
      constexpr int64_t kPixels = 37;
      const int64_t channels = images.channels;
      const auto input = RandomVector<float>(images.batch * channels * kPixels, seed);
      const auto rows = RandomVector<float>(images.batch * 3 * channels, seed + 1000);
      const int64_t image_rows = shared ? 0 : 3 * channels;
      const Activation activation{FindUnary(seed % 3 == 0 ? "silu" : "relu"), {}};
      std::vector<float> expected(input.size());
      for (int64_t plane = 0; plane < images.batch * channels; ++plane) {
        const float* row = rows.data() + plane / channels * image_rows + plane % channels;
        for (int64_t p = 0; p < kPixels; ++p) {
          const float x = input[plane * kPixels + p];
          expected[plane * kPixels + p] = (x - row[0]) * row[channels] + row[2 * channels];
        }
      }
      activation.Apply(expected.data(), static_cast<int64_t>(expected.size()));
      const int64_t pitch = channels + images.gap;
      const auto image = ChannelsLast(input, images.batch, channels, kPixels, pitch);
      const int64_t pixel = channels + kGap;
      std::vector<float> found(static_cast<std::size_t>(images.batch * kPixels * pixel), kUntouched);
      ChannelsLastNorm norm;
      norm.images = images.batch;
      norm.positions = kPixels;
      norm.channels = channels;
      norm.input = {pitch, pitch * kPixels};
      ScaleChannelsLast(norm, image.data(), rows.data(), image_rows, activation, found.data(),
                        {pixel, pixel * kPixels});
      ExpectEqual(expected, found, images.batch, channels, 1e-5);
    }
  }
}

TEST(ChannelsLastImageTest, ResizingEqualsThePlanarOne) {
  constexpr ResizeMode kModes[] = {ResizeMode::kNearest, ResizeMode::kNearestExact,    ResizeMode::kLinear,
                                   ResizeMode::kCubic,   ResizeMode::kLinearAntialias, ResizeMode::kCubicAntialias};
  uint32_t seed = 1;
  for (const Images& images : kImages) {
    for (const ResizeMode mode : kModes) {
      for (const auto& [height, width] : {std::pair<int64_t, int64_t>{12, 20}, {3, 4}, {7, 9}, {1, 15}}) {
        ++seed;
        SCOPED_TRACE("channels " + std::to_string(images.channels) + " mode " + std::to_string(static_cast<int>(mode)) +
                     " to " + std::to_string(height) + "x" + std::to_string(width) + " seed " + std::to_string(seed));
        const std::array<ResizeAxis<float>, 3> axes{ResizeAxis<float>{},
                                                    MakeResizeAxis<float>(mode, 6, height, std::nullopt, false),
                                                    MakeResizeAxis<float>(mode, 10, width, std::nullopt, false)};
        const int64_t planes = images.batch * images.channels;
        const auto input = RandomVector<float>(planes * 60, seed);
        const int64_t pitch = images.channels + images.gap;
        const auto image = ChannelsLast(input, images.batch, images.channels, 60, pitch);
        std::vector<float> expected(static_cast<std::size_t>(planes * height * width));
        std::vector<float> found(expected.size() / images.channels * (images.channels + kGap), kUntouched);
        std::vector<float> workspace(10);
        Resize<float>(axes, planes, 1, input.data(), workspace.data(), expected.data());
        const int64_t pixel = images.channels + kGap;
        ResizeChannelsLast(axes, images.batch, images.channels, image.data(), {pitch, pitch * 60}, found.data(),
                           {pixel, pixel * height * width});
        ExpectEqual(expected, found, images.batch, images.channels, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
// Normalisation and resizing of channels-last images, compared with their planar twins.
#include <string>

#include <gtest/gtest.h>

#include "kernel/channels_last_images.hpp"
#include "kernel/elementwise/functions.hpp"
#include "kernel/normalization/channels_last_norm.hpp"
#include "kernel/normalization/row_normalization.hpp"
#include "kernel/random_data.hpp"
#include "kernel/sampling/channels_last_resize.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Numbers are far from zero, with more pixels than a sum in float can add exactly, with and without weights, and with
/// an activation.
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

/// Given statistics, for all images or for each image, with an activation.
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

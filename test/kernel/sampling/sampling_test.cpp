// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/deform_convolution.hpp"
#include "kernel/normalization/batch_statistics.hpp"
#include "kernel/random_data.hpp"
#include "kernel/sampling/grid_sample.hpp"
#include "kernel/sampling/roi_pooling.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Returns the bilinear sample of a plane with zeros around it, by the definition.
double Sample(const float* plane, int64_t height, int64_t width, double y, double x) {
  double sum = 0;
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const double weight_y = std::max(0.0, 1 - std::abs(y - static_cast<double>(i)));
      const double weight_x = std::max(0.0, 1 - std::abs(x - static_cast<double>(j)));
      sum += weight_y * weight_x * plane[i * width + j];
    }
  }
  return sum;
}

TEST(DeformConvolutionTest, EqualsTheDefinition) {
  DeformConvolutionGeometry geometry;
  geometry.convolution = {2, 4, 6, 2, {}};
  geometry.offset_groups = 2;
  geometry.workers = 3;
  WindowGrid& grid = geometry.convolution.grid;
  grid.image = {1, 15, 14};
  grid.window[1] = {3, 1, 1, 1, 1};
  grid.window[2] = {2, 1, 2, 2, 3};
  grid.positions = {1, 15, 15};
  const int64_t taps = grid.taps();
  const int64_t positions = grid.position_count();
  const std::vector<float> input = RandomVector<float>(2 * 4 * grid.image_size(), 1);
  std::vector<float> offset = RandomVector<float>(2 * 2 * taps * 2 * positions, 2);
  for (float& shift : offset) shift *= 5;
  const std::vector<float> mask = RandomVector<float>(2 * 2 * taps * positions, 3);
  const std::vector<float> weight = RandomVector<float>(6 * 2 * taps, 4);
  const std::vector<float> bias = RandomVector<float>(6, 5);
  std::vector<float> output(2 * 6 * positions);
  std::vector<float> workspace(geometry.workers * geometry.WorkerElements());
  DeformConvolution<float>(geometry, input.data(), offset.data(), mask.data(), weight.data(), bias.data(),
                           output.data(), reinterpret_cast<std::byte*>(workspace.data()));
  for (int64_t item = 0; item < static_cast<int64_t>(output.size()); ++item) {
    const int64_t p = item % positions;
    const int64_t o = item / positions % 6;
    const int64_t n = item / positions / 6;
    double expected = bias[o];
    for (int64_t c = 0; c < 2; ++c) {
      const int64_t channel = o / 3 * 2 + c;
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t row = (n * 2 + channel / 2) * taps + t;
        const double y = static_cast<double>(p / 15 - 1 + t / 2) + offset[2 * row * positions + p];
        const double x = static_cast<double>(p % 15 - 2 + t % 2 * 3) + offset[(2 * row + 1) * positions + p];
        expected += weight[(o * 2 + c) * taps + t] * mask[row * positions + p] *
                    Sample(input.data() + (n * 4 + channel) * grid.image_size(), 15, 14, y, x);
      }
    }
    ASSERT_NEAR(output[item], expected, 1e-4) << item;
  }
}

TEST(GridSampleTest, EqualsTheDefinitionAndTakesAnyCoordinate) {
  GridSampleGeometry geometry;
  geometry.batch = 2;
  geometry.channels = 3;
  geometry.image = {1, 5, 7};
  geometry.points = 70;
  const std::vector<float> input = RandomVector<float>(2 * 3 * 35, 1);
  std::vector<float> grid = RandomVector<float>(2 * 70 * 2, 2);
  for (float& coordinate : grid) coordinate *= 1.5F;
  std::vector<float> output(2 * 3 * 70);
  GridSample(geometry, input.data(), grid.data(), output.data());
  for (int64_t item = 0; item < static_cast<int64_t>(output.size()); ++item) {
    const float* point = grid.data() + (item / 210 * 70 + item % 70) * 2;
    const double expected =
        Sample(input.data() + item / 70 * 35, 5, 7, (point[1] + 1) * 2.5 - 0.5, (point[0] + 1) * 3.5 - 0.5);
    ASSERT_NEAR(output[item], expected, 1e-5) << item;
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const float odd[] = {infinity, -infinity, std::nanf(""), 1e38F, -1e38F, 3e9F, -3e9F};
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = odd[i % 7];
  for (const GridMode mode : {GridMode::kBilinear, GridMode::kNearest, GridMode::kBicubic}) {
    for (const GridBorder border : {GridBorder::kZeros, GridBorder::kBorder, GridBorder::kReflection}) {
      geometry.mode = mode;
      geometry.border = border;
      GridSample(geometry, input.data(), grid.data(), output.data());  // must stay inside of the arrays
    }
  }
}

TEST(RoiAlignTest, SkippedSamplesWouldGiveNothing) {
  const RoiGeometry geometry{1, 1, 6, 5, 3, 2, 3, 1.0, false};
  const std::vector<float> input = RandomVector<float>(30, 1);
  const std::vector<float> rois = {0, -20, -31, 40, 37, 0, 1, 2, 3, 5, 0, 100, 100, 130, 120};
  std::vector<float> output(18);
  RoiAlign(geometry, RoiSampling{-1, true}, input.data(), rois.data(), output.data());
  for (int64_t item = 0; item < 18; ++item) {
    const float* roi = rois.data() + item / 6 * 5;
    const double height = (roi[4] - roi[2]) / 2;
    const double width = (roi[3] - roi[1]) / 3;
    const double high = std::ceil(height);
    const double wide = std::ceil(width);
    double sum = 0;
    for (double i = 0; i < high; ++i) {
      for (double j = 0; j < wide; ++j) {
        const double y = roi[2] - 0.5 + static_cast<double>(item % 6 / 3) * height + (i + 0.5) * height / high;
        const double x = roi[1] - 0.5 + static_cast<double>(item % 3) * width + (j + 0.5) * width / wide;
        if (y < -1 || y > 6 || x < -1 || x > 5) continue;
        sum += Sample(input.data(), 6, 5, std::clamp(y, 0.0, 5.0), std::clamp(x, 0.0, 4.0));
      }
    }
    ASSERT_NEAR(output[item], sum / (high * wide), 1e-5) << item;
  }
}

TEST(BatchStatisticsTest, EqualsTheDefinition) {
  const std::vector<float> input = RandomVector<float>(4 * 3 * 5, 1);
  std::vector<float> mean(3);
  std::vector<float> variance(3);
  BatchStatistics({4, 3, 5}, input.data(), mean.data(), variance.data());
  for (int64_t c = 0; c < 3; ++c) {
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < 20; ++i) {
      const double x = input[(i / 5 * 3 + c) * 5 + i % 5];
      sum += x;
      squares += x * x;
    }
    EXPECT_NEAR(mean[c], sum / 20, 1e-6);
    EXPECT_NEAR(variance[c], squares / 20 - sum * sum / 400, 1e-5);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <vector>

#include "kernel/weight_product.hpp"
#include "kernel/winograd.hpp"
#include "kernel/winograd_tiles.hpp"
#include "utils/cpu_info.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A row of G, the weights' transform.
using WeightRow = std::array<double, 3>;
constexpr WeightRow kWeights2[] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
constexpr WeightRow kWeights4[] = {{1.0 / 4, 0, 0},
                                   {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                   {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                   {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                   {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                   {0, 0, 1}};
constexpr WeightRow kWeights6[] = {{1, 0, 0},
                                   {-2.0 / 9, -2.0 / 9, -2.0 / 9},
                                   {-2.0 / 9, 2.0 / 9, -2.0 / 9},
                                   {1.0 / 90, 1.0 / 45, 2.0 / 45},
                                   {1.0 / 90, -1.0 / 45, 2.0 / 45},
                                   {1.0 / 45, 1.0 / 90, 1.0 / 180},
                                   {1.0 / 45, -1.0 / 90, 1.0 / 180},
                                   {0, 0, 1}};

const WeightRow* WeightRows(int64_t m) {
  if (m == 2) return kWeights2;
  return m == 4 ? kWeights4 : kWeights6;
}

/// One element of G g G'.
double TransformedWeight(const WeightRow& row, const WeightRow& column, const float* g) {
  double sum = 0;
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) sum += row[y] * static_cast<double>(g[3 * y + x]) * column[x];
  }
  return sum;
}

}  // namespace

int64_t WinogradTile(ConvolutionMethod method) {
  if (method == ConvolutionMethod::kWinograd2) return 2;
  if (method == ConvolutionMethod::kWinograd4) return 4;
  return method == ConvolutionMethod::kWinograd6 ? 6 : 0;
}

bool SuitsWinograd(const ConvolutionGeometry& geometry) {
  const auto& [depth, height, width] = geometry.grid.window;
  const auto fits = [](const Window& window) {
    return window.kernel == 3 && window.stride == 1 && window.dilation == 1;
  };
  const bool flat =
      depth.kernel == 1 && geometry.grid.image[0] == 1 && geometry.grid.positions[0] == 1 && depth.padding_begin == 0;
  return flat && fits(height) && fits(width) && geometry.groups == 1;
}

void ScheduleWinograd(ChannelsLastConvolution& convolution, int threads) {
  // The number of tiles for each thread below which the threads share the products instead.
  constexpr int64_t kLeastTiles = 20;
  // Scratch memory for pieces that don't fit in the cache.
  constexpr int64_t kMostBytes = 16 << 20;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t m = WinogradTile(convolution.method);
  const int64_t planes = (m + 2) * (m + 2);
  const int64_t channels = geometry.channels_in + geometry.channels_out;
  const int64_t count = WinogradTiles(convolution).count();
  const int64_t tile_bytes = FloatBytes(planes * channels);
  // Transformed tiles and their products take most of the second-level cache.
  const int64_t cached = std::max(kLeastTiles, SecondLevelCacheBytes() * 7 / 8 / tile_bytes);
  const int64_t large = std::max(cached, kMostBytes / tile_bytes);
  // Each piece reads the weight; larger pieces write their tiles beyond the cache and read them again.
  const int64_t weight_bytes = FloatBytes(WinogradWeightSize(geometry, m));
  const int64_t saved = (DivideUp(count, cached) - DivideUp(count, large)) * weight_bytes;
  const bool shares = saved > 2 * count * tile_bytes;
  int64_t pieces = std::max<int64_t>(1, DivideUp(count, shares ? large : cached));
  if (threads > 1 && count >= threads * kLeastTiles && !shares) {
    pieces = RoundUp(pieces, threads);
    convolution.slots = threads;
  }
  convolution.tile = std::max<int64_t>(1, DivideUp(count, pieces));
  const WinogradTiles tiles(convolution);
  const int64_t floats = planes * (tiles.PlaneSize(geometry.channels_in) + tiles.PlaneSize(geometry.channels_out));
  convolution.slot_bytes = AlignedBytes(FloatBytes(floats));
  convolution.workspace_bytes = convolution.slots * convolution.slot_bytes;
}

int64_t WinogradWeightSize(const ConvolutionGeometry& geometry, int64_t m) {
  return (m + 2) * (m + 2) * PackedWeightSize(geometry.channels_out, geometry.channels_in);
}

void TransformWinogradWeight(const ConvolutionGeometry& geometry, int64_t m, const float* weight, float* packed) {
  const int64_t size = m + 2;
  const WeightRow* rows = WeightRows(m);
  const int64_t outputs = geometry.channels_out;
  const int64_t inputs = geometry.channels_in;
  const int64_t slots = std::min<int64_t>(MaxThreads(), size * size);
  std::vector<float> planes(static_cast<std::size_t>(slots * outputs * inputs));
  ParallelItems(size * size, slots, [&](int64_t slot, int64_t i) {
    float* plane = planes.data() + slot * outputs * inputs;
    for (int64_t k = 0; k < outputs * inputs; ++k) {
      plane[k] = static_cast<float>(TransformedWeight(rows[i / size], rows[i % size], weight + 9 * k));
    }
    PackWeight(outputs, inputs, plane, inputs, packed + i * PackedWeightSize(outputs, inputs));
  });
}

}  // namespace kuiper_infer::kernel

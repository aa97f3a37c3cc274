// SPDX-License-Identifier: MIT
#include "kernel/convolution/winograd/schedule.hpp"

#include <algorithm>

#include "kernel/convolution/winograd/tiles.hpp"
#include "utils/rounding.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

bool SuitsWinograd(const ConvolutionGeometry& geometry) {
  const auto& [depth, height, width] = geometry.grid.window;
  const auto fits = [](const Window& window) {
    return window.kernel == 3 && window.stride == 1 && window.dilation == 1;
  };
  const bool flat =
      depth.kernel == 1 && geometry.grid.image[0] == 1 && geometry.grid.positions[0] == 1 && depth.padding_begin == 0;
  return flat && fits(height) && fits(width) && geometry.groups == 1;
}

void ScheduleWinograd(ChannelsLastConvolution& convolution, int threads, const WinogradMemory& memory) {
  // Scratch memory for pieces that don't fit in the cache.
  constexpr int64_t kMostBytes = 16 << 20;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t planes = (memory.m + 2) * (memory.m + 2);
  const int64_t count = WinogradTiles(convolution, memory.m).count();
  const int64_t tile_bytes =
      planes * (geometry.channels_in * memory.image_bytes + geometry.channels_out * memory.product_bytes);
  // Transformed tiles and their products take most of the second-level cache.
  const int64_t cached = std::max(memory.least_tiles, SecondLevelCacheBytes() * 7 / 8 / tile_bytes);
  const int64_t large = std::max(cached, kMostBytes / tile_bytes);
  // Each piece reads the weight; larger pieces write their tiles beyond the cache and read them again.
  const int64_t saved = (DivideUp(count, cached) - DivideUp(count, large)) * memory.weight_bytes;
  const bool shares = saved > 2 * count * tile_bytes;
  int64_t pieces = std::max<int64_t>(1, DivideUp(count, shares ? large : cached));
  if (threads > 1 && count >= threads * memory.least_tiles && !shares) {
    pieces = RoundUp(pieces, threads);
    convolution.workers = threads;
  }
  convolution.tile = std::max<int64_t>(1, DivideUp(count, pieces));
  const WinogradTiles tiles(convolution, memory.m);
  convolution.worker_bytes = AlignedBytes(planes * (tiles.PlaneSize(geometry.channels_in) * memory.image_bytes +
                                                    tiles.PlaneSize(geometry.channels_out) * memory.product_bytes));
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

MatrixWork WinogradWork(const ChannelsLastConvolution& convolution, int64_t m, double transform) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto planes = static_cast<double>((m + 2) * (m + 2));
  const int64_t count = WinogradTiles(convolution, m).count();
  const auto tiles = static_cast<double>(count);
  const auto in = static_cast<double>(geometry.channels_in);
  const auto out = static_cast<double>(geometry.channels_out);
  const auto pieces = static_cast<double>(DivideUp(count, convolution.tile));
  return {tiles, planes * in * out, pieces, tiles * planes * (in + out) * transform};
}

}  // namespace kuiper_infer::kernel

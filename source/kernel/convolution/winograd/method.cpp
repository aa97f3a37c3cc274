// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/winograd/run.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/convolution/winograd/weight.hpp"
#include "utils/cpu_info.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry& geometry) {
  const auto& [depth, height, width] = geometry.grid.window;
  const auto fits = [](const Window& window) {
    return window.kernel == 3 && window.stride == 1 && window.dilation == 1;
  };
  const bool flat =
      depth.kernel == 1 && geometry.grid.image[0] == 1 && geometry.grid.positions[0] == 1 && depth.padding_begin == 0;
  return flat && fits(height) && fits(width) && geometry.groups == 1;
}

template <int m>
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // With fewer tiles for each thread, the threads share the products instead.
  constexpr int64_t kLeastTiles = 20;
  // Scratch memory for pieces that don't fit in the cache.
  constexpr int64_t kMostBytes = 16 << 20;
  constexpr int64_t kPlanes = int64_t{m + 2} * (m + 2);
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t channels = geometry.channels_in + geometry.channels_out;
  const int64_t count = WinogradTiles(convolution, m).count();
  const int64_t tile_bytes = FloatBytes(kPlanes * channels);
  // Transformed tiles and their products take most of the second-level cache.
  const int64_t cached = std::max(kLeastTiles, SecondLevelCacheBytes() * 7 / 8 / tile_bytes);
  const int64_t large = std::max(cached, kMostBytes / tile_bytes);
  // Each piece reads the weight; larger pieces write their tiles beyond the cache and read them again.
  const int64_t saved =
      (DivideUp(count, cached) - DivideUp(count, large)) * WinogradWeightOrder(m).bytes(WeightShapeOf(geometry));
  const bool shares = saved > 2 * count * tile_bytes;
  int64_t pieces = std::max<int64_t>(1, DivideUp(count, shares ? large : cached));
  if (threads > 1 && count >= threads * kLeastTiles && !shares) {
    pieces = RoundUp(pieces, threads);
    convolution.workers = threads;
  }
  convolution.tile = std::max<int64_t>(1, DivideUp(count, pieces));
  const WinogradTiles tiles(convolution, m);
  const int64_t floats = kPlanes * (tiles.PlaneSize(geometry.channels_in) + tiles.PlaneSize(geometry.channels_out));
  convolution.worker_bytes = AlignedBytes(FloatBytes(floats));
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

template <int m>
double Cost(const ConvolutionGeometry& geometry, bool, int threads, double product_time) {
  constexpr double kTransform = 10;  // a number transformed and kept for the product
  constexpr double kPlanes = (m + 2) * (m + 2);
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  Schedule<m>(convolution, threads);
  const int64_t count = WinogradTiles(convolution, m).count();
  const auto tiles = static_cast<double>(count);
  const auto in = static_cast<double>(geometry.channels_in);
  const auto out = static_cast<double>(geometry.channels_out);
  const auto pieces = static_cast<double>(DivideUp(count, convolution.tile));
  return EstimateTime({tiles, kPlanes * in * out, pieces, tiles * kPlanes * (in + out) * kTransform}, threads,
                      product_time);
}

template <int m>
ConvolutionMethod MakeMethod(const char* name, decltype(ConvolutionMethod::run) run, double rounding) {
  ConvolutionMethod method;
  method.name = name;
  method.weight_order = &WinogradWeightOrder(m);
  method.suits = Suits;
  method.cost = Cost<m>;
  method.schedule = Schedule<m>;
  method.run = run;
  method.rounding = rounding;
  return method;
}

}  // namespace

ConvolutionMethod Winograd2Method() { return MakeMethod<2>("winograd2", RunWinograd2, 2); }
ConvolutionMethod Winograd4Method() { return MakeMethod<4>("winograd4", RunWinograd4, 8); }
ConvolutionMethod Winograd6Method() { return MakeMethod<6>("winograd6", RunWinograd6, 32); }

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/convolution/winograd.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/winograd_tiles.hpp"
#include "kernel/product/weight_product.hpp"
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
int64_t WeightBytes(const WeightShape& shape) {
  return FloatBytes(int64_t{m + 2} * (m + 2) * PackedWeightSize(shape.outputs, shape.inputs));
}

template <int m>
void TransformWeight(const WeightShape& shape, const float* weight, void* packed) {
  constexpr int64_t kSize = m + 2;
  const WeightRow* rows = WeightRows(m);
  const int64_t plane_size = shape.outputs * shape.inputs;
  const int64_t workers = std::min<int64_t>(MaxThreads(), kSize * kSize);
  std::vector<float> planes(static_cast<std::size_t>(workers * plane_size));
  ParallelItems(kSize * kSize, workers, [&](int64_t worker, int64_t i) {
    float* plane = planes.data() + worker * plane_size;
    for (int64_t k = 0; k < plane_size; ++k) {
      plane[k] = static_cast<float>(TransformedWeight(rows[i / kSize], rows[i % kSize], weight + 9 * k));
    }
    PackWeight(shape.outputs, shape.inputs, plane, shape.inputs,
               static_cast<float*>(packed) + i * PackedWeightSize(shape.outputs, shape.inputs));
  });
}

template <int m>
const WeightOrder kTransformedOrder{WeightBytes<m>, TransformWeight<m>};

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
  const int64_t saved = (DivideUp(count, cached) - DivideUp(count, large)) * WeightBytes<m>(WeightShapeOf(geometry));
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
double Cost(const ConvolutionGeometry& geometry, bool, int threads) {
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
  return EstimateTime({tiles, kPlanes * in * out, pieces, tiles * kPlanes * (in + out) * kTransform}, threads);
}

template <int m>
ConvolutionMethod MakeMethod(const char* name, decltype(ConvolutionMethod::run) run, double rounding) {
  ConvolutionMethod method;
  method.name = name;
  method.weight_order = &kTransformedOrder<m>;
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

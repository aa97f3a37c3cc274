// SPDX-License-Identifier: MIT
// The pixels under each window are copied into a row of a matrix (im2col), in pieces that stay in the cache.
#include <algorithm>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/window_rows.hpp"
#include "utils/cpu_info.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry&) { return true; }

template <class T>
double Cost(const ConvolutionGeometry& geometry, bool, int threads, double product_time) {
  return EstimateTime(WindowWork(geometry, sizeof(T)), threads, product_time);
}

/// Numbers from one row of the window matrix to the next.
template <class T>
int64_t RowPitch(const ConvolutionGeometry& geometry) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  constexpr int64_t kCrowded = 2048 / kBytes;  // rows such a multiple apart share few sets of the first-level cache
  const int64_t depth = geometry.group_depth();
  return depth % kCrowded == 0 ? depth + kCacheLine / kBytes : depth;
}

/// `tile` counts window positions.
template <class T>
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // With fewer positions for each thread, threads share a product by its columns instead.
  constexpr int64_t kLeastTile = 24;
  constexpr int64_t kTileMultiple = 8;
  // With so many output channels for each position the weight is what has to be read once only.
  constexpr int64_t kManyColumns = 4;
  // Multiply-adds below which starting threads costs more than it saves.
  constexpr double kWorthThreads = 64 * 1024;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t pitch = RowPitch<T>(geometry);
  const int64_t positions = geometry.grid.position_count();
  const int64_t items = geometry.batch * geometry.groups;
  // A piece of the window matrix takes half of the second-level cache, beside the weight's panels.
  const int64_t half_cache = SecondLevelCacheBytes() / 2 / static_cast<int64_t>(sizeof(T));
  const int64_t cached = RoundUp(half_cache / (pitch + 1) + 1, kTileMultiple);
  convolution.tile = std::clamp<int64_t>(cached, 1, std::max<int64_t>(positions, 1));
  // Each piece reads the whole weight; where that is the larger matrix by far, there is one piece, whose columns the
  // threads share.
  const bool much_weight = geometry.channels_out / geometry.groups >= kManyColumns * positions;
  if (much_weight) convolution.tile = std::max<int64_t>(positions, 1);
  const bool cut =
      threads > 1 && geometry.multiply_adds() >= kWorthThreads && items * positions >= threads * kLeastTile;
  if (cut && !much_weight) {
    int64_t pieces = DivideUp(positions, convolution.tile);
    while (items * pieces % threads != 0 && positions / (pieces + 1) >= kLeastTile) ++pieces;
    convolution.tile = DivideUp(positions, pieces);
    if (items * pieces >= threads) convolution.workers = threads;
  }
  convolution.worker_bytes = AlignedBytes(pitch * convolution.tile * static_cast<int64_t>(sizeof(T)));
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

/// The rows of one piece, copied by all threads where they share it, then their product.
template <class T>
void MultiplyPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t item,
                   T* rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const WindowGrid& grid = geometry.grid;
  const int64_t channels = geometry.channels_in / geometry.groups;
  const int64_t pieces = DivideUp(grid.position_count(), convolution.tile);
  const int64_t n = item / pieces / geometry.groups;
  const int64_t group = item / pieces % geometry.groups;
  const int64_t first = item % pieces * convolution.tile;
  const int64_t count = std::min(convolution.tile, grid.position_count() - first);
  auto product = MakeProduct<ProductOf<T>>(convolution, arrays, n, group, first, count);
  product.a = rows;
  product.lda = RowPitch<T>(geometry);
  const auto* image = static_cast<const T*>(InputFrom(arrays, n * convolution.input.image + group * channels));
  T padding = 0;
  if constexpr (std::is_same_v<T, uint8_t>) padding = static_cast<T>(arrays.int8->input.zero_point);
  ParallelFor(count, GrainFor(product.depth / 8), [&](int64_t begin, int64_t end) {
    CopyWindowRows(grid, channels, first + begin, first + end, image, convolution.input.pixel,
                   rows + begin * product.lda, product.lda, padding);
  });
  Multiply(product);
}

template <class T>
void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t items = geometry.batch * geometry.groups * DivideUp(geometry.grid.position_count(), convolution.tile);
  ParallelItems(items, convolution.workers, [&](int64_t worker, int64_t item) {
    auto* rows = reinterpret_cast<T*>(arrays.workspace + worker * convolution.worker_bytes);
    MultiplyPiece<T>(convolution, arrays, item, rows);
  });
}

}  // namespace

ConvolutionMethod RowsMethod(const NumberFormats& formats) {
  constexpr const char* kNames[] = {"rows", "rows_bfloat16", "rows_bfloat16x2", "rows_bfloat16x3"};
  ConvolutionMethod method;
  method.name = kNames[formats.weights.bfloat16_pieces()];
  method.formats = formats;
  method.weight_order = &PanelOrderOf(formats.weights);
  method.suits = Suits;
  method.cost = Cost<float>;
  method.schedule = Schedule<float>;
  method.run = RunByInput<Run<float>, Run<uint16_t>>;
  return method;
}

ConvolutionMethod RowsInt8Method() {
  ConvolutionMethod method;
  method.name = "rows_int8";
  method.formats = kInt8;
  method.weight_order = &Int8PanelOrder();
  method.suits = Suits;
  method.cost = Cost<uint8_t>;
  method.schedule = Schedule<uint8_t>;
  method.run = Run<uint8_t>;
  return method;
}

}  // namespace kuiper_infer::kernel

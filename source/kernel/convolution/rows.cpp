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

double Cost(const ConvolutionGeometry& geometry, bool, int threads, double product_time) {
  return EstimateTime(WindowWork(geometry), threads, product_time);
}

/// Floats from one row of the window matrix to the next.
int64_t RowPitch(const ConvolutionGeometry& geometry) {
  // Rows a multiple of 2 KiB apart would share few sets of the first-level cache.
  constexpr int64_t kCrowded = 512;
  const int64_t depth = geometry.group_depth();
  return depth % kCrowded == 0 ? depth + kCacheLine / static_cast<int64_t>(sizeof(float)) : depth;
}

/// `tile` counts window positions.
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // With fewer positions for each thread, threads share a product by its columns instead.
  constexpr int64_t kLeastTile = 24;
  constexpr int64_t kTileMultiple = 8;
  // With so many output channels for each position the weight is what has to be read once only.
  constexpr int64_t kManyColumns = 4;
  // Multiply-adds below which starting threads costs more than it saves.
  constexpr double kWorthThreads = 64 * 1024;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t pitch = RowPitch(geometry);
  const int64_t positions = geometry.grid.position_count();
  const int64_t items = geometry.batch * geometry.groups;
  // A piece of the window matrix takes half of the second-level cache, beside the weight's panels.
  const int64_t half_cache = SecondLevelCacheBytes() / 2 / static_cast<int64_t>(sizeof(float));
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
  convolution.worker_bytes = AlignedBytes(FloatBytes(pitch * convolution.tile));
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

/// The rows of one piece, copied by all threads where they share it, then their product.
void MultiplyPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t item,
                   float* rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const WindowGrid& grid = geometry.grid;
  const int64_t channels = geometry.channels_in / geometry.groups;
  const int64_t pieces = DivideUp(grid.position_count(), convolution.tile);
  const int64_t n = item / pieces / geometry.groups;
  const int64_t group = item / pieces % geometry.groups;
  const int64_t first = item % pieces * convolution.tile;
  const int64_t count = std::min(convolution.tile, grid.position_count() - first);
  WeightProduct product = MakeProduct(convolution, arrays, n, group, first, count);
  product.a = rows;
  product.lda = RowPitch(geometry);
  const float* image = arrays.input + n * convolution.input.image + group * channels;
  ParallelFor(count, GrainFor(product.depth / 8), [&](int64_t begin, int64_t end) {
    CopyWindowRows(grid, channels, first + begin, first + end, image, convolution.input.pixel,
                   rows + begin * product.lda, product.lda);
  });
  MultiplyByWeight(product);
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t items = geometry.batch * geometry.groups * DivideUp(geometry.grid.position_count(), convolution.tile);
  ParallelItems(items, convolution.workers, [&](int64_t worker, int64_t item) {
    auto* rows = reinterpret_cast<float*>(arrays.workspace + worker * convolution.worker_bytes);
    MultiplyPiece(convolution, arrays, item, rows);
  });
}

}  // namespace

ConvolutionMethod RowsMethod(int pieces) {
  constexpr const char* kNames[] = {"rows", "rows_bfloat16", "rows_bfloat16x2", "rows_bfloat16x3"};
  ConvolutionMethod method;
  method.name = kNames[pieces];
  method.formats = FormatsOf(pieces);
  method.weight_order = &PanelOrderOf(pieces);
  method.suits = Suits;
  method.cost = Cost;
  method.schedule = Schedule;
  method.run = Run;
  return method;
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
// The pixels under each window are copied into a row of a matrix (im2col), in pieces that stay in the cache.
#include <algorithm>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/window_rows.hpp"
#include "utils/rounding.hpp"
#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry& /*geometry*/, const ProductKernel& /*product*/) { return true; }

const PackedLayout& Layout(const ProductKernel& product) { return product.Layout(Arrangement::kWindows); }

double Cost(const ConvolutionGeometry& geometry, bool /*channels_last*/, int threads, const ProductKernel& product) {
  MatrixWork work = WindowWork(geometry, InputBytes(product));
  // The few floats of a picture's pixel are copied no faster than a cache line.
  constexpr int64_t kPictureChannels = 4;
  constexpr double kPixelCopy = 500;
  if (geometry.channels_in <= kPictureChannels && product.left == RuntimeDataType::kTypeFloat32) {
    work.others = work.rows * static_cast<double>(geometry.grid.taps()) * kPixelCopy;
  }
  return EstimateTime(work, threads, product.Time(ProductShapeOf(geometry)));
}

/// Returns the pitch of the window matrix in numbers of `bytes` bytes.
int64_t RowPitch(const ConvolutionGeometry& geometry, int64_t bytes) {
  const int64_t conflicts = 2048 / bytes;  // rows a multiple of this apart share few sets of the first-level cache
  const int64_t depth = geometry.group_depth();
  return depth % conflicts == 0 ? depth + kCacheLine / bytes : depth;
}

/// `tile` counts window positions.
void Schedule(ChannelsLastConvolution& convolution, int threads) {
  // With fewer positions for each thread, threads share a product by its columns instead.
  constexpr int64_t kLeastTile = 24;
  constexpr int64_t kTileMultiple = 8;
  // If there are more output channels than this for each position, it matters most that the weight is read only once.
  constexpr int64_t kManyColumns = 4;
  // Multiply-adds below which starting threads costs more than it saves.
  constexpr double kWorthThreads = 64 * 1024;
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t bytes = InputBytes(*convolution.product);
  const int64_t pitch = RowPitch(geometry, bytes);
  const int64_t positions = geometry.grid.position_count();
  const int64_t items = geometry.batch * geometry.groups;
  // A piece of the window matrix takes half of the second-level cache, beside the weight's panels.
  const int64_t half_cache = SecondLevelCacheBytes() / 2 / bytes;
  const int64_t cached = RoundUp(half_cache / (pitch + 1) + 1, kTileMultiple);
  convolution.tile = std::clamp<int64_t>(cached, 1, std::max<int64_t>(positions, 1));
  // Each piece reads the whole weight. If the weight is by far the larger matrix, there is one piece, whose columns the
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
  convolution.worker_bytes = AlignedBytes(pitch * convolution.tile * bytes);
  convolution.workspace_bytes = convolution.workers * convolution.worker_bytes;
}

/// Copies the rows of one piece, by all threads if they share the piece, and multiplies them.
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
  Product product = MakeProduct(convolution, arrays, n, group, first, count);
  product.a.data = rows;
  product.a.ld = RowPitch(geometry, sizeof(T));
  const auto* image = static_cast<const T*>(InputFrom(arrays, n * convolution.input.image + group * channels));
  ParallelFor(count, GrainFor(product.depth / 8), [&](int64_t begin, int64_t end) {
    CopyWindowRows(grid, channels, first + begin, first + end, image, convolution.input.pixel,
                   rows + begin * product.a.ld, product.a.ld, PaddingOf<T>(arrays));
  });
  Multiply(product);
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t items = geometry.batch * geometry.groups * DivideUp(geometry.grid.position_count(), convolution.tile);
  ParallelItems(items, convolution.workers, [&](int64_t worker, int64_t item) {
    DispatchInput(arrays.input_type, [&](auto tag) {
      auto* rows = reinterpret_cast<decltype(tag)*>(arrays.workspace + worker * convolution.worker_bytes);
      MultiplyPiece(convolution, arrays, item, rows);
    });
  });
}

}  // namespace

ConvolutionMethod RowsMethod() {
  ConvolutionMethod method;
  method.name = "rows";
  method.suits = Suits;
  method.layout = Layout;
  method.cost = Cost;
  method.schedule = Schedule;
  method.run = Run;
  return method;
}

}  // namespace kuiper_infer::kernel

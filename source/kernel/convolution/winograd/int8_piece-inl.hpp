// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WINOGRAD_INT8_PIECE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WINOGRAD_INT8_PIECE_INL_HPP_
#undef KUIPER_KERNEL_WINOGRAD_INT8_PIECE_INL_HPP_
#else
#define KUIPER_KERNEL_WINOGRAD_INT8_PIECE_INL_HPP_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/winograd/int8_tile-inl.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/product/int8/panel_epilogue.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The tiles [first, last) of a run, of m x m outputs each, and where their numbers lie.
template <int m>
class WordPiece {
 public:
  static constexpr int64_t kPlanes = WordPlanes(m);

  WordPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first, int64_t last,
            std::byte* workspace)
      : convolution_(convolution),
        g_(convolution.geometry),
        arrays_(arrays),
        tiles_(convolution, m),
        first_(first),
        count_(last - first),
        depth_(WordDepth(g_.channels_in)),
        columns_(WordColumns(g_.channels_out)),
        word_plane_(tiles_.PlaneSize(depth_)),
        sum_plane_(tiles_.PlaneSize(std::min(columns_, kInt8Columns))),
        words_(reinterpret_cast<int16_t*>(workspace)),
        sums_(reinterpret_cast<int32_t*>(words_ + kPlanes * word_plane_)) {}

  /// Each part uses the threads that are free. A panel's columns are multiplied and written before the next ones, so
  /// that their sums stay in the second-level cache.
  void Compute() const {
    ParallelFor(count_, GrainFor(kPlanes * depth_ / kCost), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) TransformImage(i);
    });
    for (int64_t column = 0; column < columns_; column += kInt8Columns) {
      ComputeColumns(column, std::min(kInt8Columns, columns_ - column));
    }
  }

 private:
  void TransformImage(int64_t index) const {
    const WindowGrid& grid = g_.grid;
    const WinogradTiles::Place place = tiles_.At(first_ + index);
    const int64_t y = place.row - grid.window[1].padding_begin;
    const int64_t x = place.column - grid.window[2].padding_begin;
    ByteTile tile{};
    tile.pixel = convolution_.input.pixel;
    tile.row = grid.image[2] * tile.pixel;
    tile.image = static_cast<const uint8_t*>(arrays_.input) + place.image * convolution_.input.image + y * tile.row +
                 x * tile.pixel;
    tile.rows = InsideRange::Of(y, m + 2, grid.image[1]);
    tile.columns = InsideRange::Of(x, m + 2, grid.image[2]);
    tile.channels = g_.channels_in;
    tile.padding = static_cast<int16_t>(arrays_.int8->input.zero_point);
    tile.words = words_ + index * depth_;
    tile.plane = word_plane_;
    TransformBytes<m>(tile);
  }

  void ComputeColumns(int64_t column, int64_t width) const {
    const int64_t grain = GrainFor(count_ * depth_ * width / kCost);
    ParallelFor(kPlanes, grain, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) Multiply(plane, column, width);
    });
    ParallelFor(count_, GrainFor(kPlanes * width / kCost), [&](int64_t begin, int64_t end) {
      for (int64_t next = begin; begin < end; begin = next) {
        const int64_t image = tiles_.At(first_ + begin).image;
        while (next < end && tiles_.At(first_ + next).image == image) ++next;
        WriteImage(image, begin, next, column, width);
      }
    });
  }

  const int16_t* WeightAt(int64_t plane, int64_t column) const {
    const int64_t number = plane * WordPlane(g_.channels_out, g_.channels_in) + column * depth_;
    return static_cast<const int16_t*>(arrays_.weight) + number;
  }

  void Multiply(int64_t plane, int64_t column, int64_t width) const {
    WordProduct product{};
    product.rows = count_;
    product.depth = depth_;
    product.columns = width;
    product.a = words_ + plane * word_plane_;
    product.weight = WeightAt(plane, column);
    // Behind the last plane the first one of the next columns.
    product.next = plane + 1 < kPlanes ? WeightAt(plane + 1, column) : WeightAt(0, (column + width) % columns_);
    product.sums = sums_ + plane * sum_plane_;
    MultiplyWords(product, convolution_.product->units.int8);
  }

  /// Writes the outputs of the tiles [begin, end) of the piece, which lie in one image, several of a row at a time.
  void WriteImage(int64_t image, int64_t begin, int64_t end, int64_t column, int64_t width) const {
    constexpr int64_t kPixels = 16;  // of a row, whose sums lie in the first-level cache until they are written
    const auto [planes, rows, row_size] = g_.grid.positions;
    const Product product = MakeProduct(convolution_, arrays_, image, 0, 0, planes * rows * row_size);
    const auto* const column_sums = reinterpret_cast<const int32_t*>(WeightAt(kPlanes, 0));
    const Int8PanelEpilogue result(product, column / kInt8Columns, 0,
                                   reinterpret_cast<const int8_t*>(column_sums + column));
    int32_t sums[m][kPixels * kInt8Columns];
    for (int64_t i = begin, next = begin; i < end; i = next) {
      const WinogradTiles::Place place = tiles_.At(first_ + i);
      while (next < std::min(end, i + kPixels / m) && tiles_.At(first_ + next).row == place.row) {
        SumTile<m>({sums_ + next * width, sum_plane_, width, result.starts(), sums[0] + m * (next - i) * width,
                    kPixels * kInt8Columns});
        ++next;
      }
      const int64_t pixels = std::min(m * (next - i), row_size - place.column);
      for (int64_t y = 0; y < m && place.row + y < rows; ++y) {
        result.Write((place.row + y) * row_size + place.column, pixels, sums[y]);
      }
    }
  }

  static constexpr int64_t kCost = 16;  ///< of an element's transform

  const ChannelsLastConvolution& convolution_;
  const ConvolutionGeometry& g_;
  const ChannelsLastArrays& arrays_;
  WinogradTiles tiles_;
  int64_t first_;
  int64_t count_;
  int64_t depth_;
  int64_t columns_;
  int64_t word_plane_;
  int64_t sum_plane_;
  int16_t* words_;
  int32_t* sums_;
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

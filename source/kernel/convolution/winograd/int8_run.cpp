// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/winograd/int8_run.cpp"
#include "kernel/convolution/winograd/int8_run.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/winograd/int8_tile-inl.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/product/int8/panel_result.hpp"
#include "utils/parallel.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The tiles [first, last) of a run, and where their numbers lie.
class WordPiece {
 public:
  WordPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first, int64_t last,
            std::byte* workspace)
      : convolution_(convolution),
        g_(convolution.geometry),
        input_(convolution.input),
        arrays_(arrays),
        tiles_(convolution, 2),
        first_(first),
        count_(last - first),
        depth_(WordDepth(g_.channels_in)),
        columns_(WordColumns(g_.channels_out)),
        word_plane_(tiles_.PlaneSize(depth_)),
        sum_plane_(tiles_.PlaneSize(columns_)),
        words_(reinterpret_cast<int16_t*>(workspace)),
        sums_(reinterpret_cast<int32_t*>(words_ + kWordPlanes * word_plane_)) {}

  /// Each of the three parts uses the threads that are free.
  void Compute() const {
    constexpr int64_t kCost = 16;  // of an element's transform
    ParallelFor(count_, GrainFor(kWordPlanes * depth_ / kCost), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) TransformImage(i);
    });
    const int64_t grain = GrainFor(count_ * depth_ * columns_ / kCost);
    ParallelFor(kWordPlanes, grain, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) Multiply(plane);
    });
    ParallelFor(count_, GrainFor(kWordPlanes * columns_ / kCost), [&](int64_t begin, int64_t end) {
      for (int64_t next = begin; begin < end; begin = next) {
        const int64_t image = tiles_.At(first_ + begin).image;
        while (next < end && tiles_.At(first_ + next).image == image) ++next;
        WriteImage(image, begin, next);
      }
    });
  }

 private:
  void TransformImage(int64_t index) const {
    const WindowGrid& grid = g_.grid;
    const WinogradTiles::Place place = tiles_.At(first_ + index);
    const int64_t y = place.row - grid.window[1].padding_begin;
    const int64_t x = place.column - grid.window[2].padding_begin;
    const auto* const image = static_cast<const uint8_t*>(InputFrom(arrays_, place.image * input_.image));
    ByteTile tile{};
    for (int i = 0; i < 16; ++i) {
      const int64_t row = y + i / 4;
      const int64_t column = x + i % 4;
      const bool inside = row >= 0 && row < grid.image[1] && column >= 0 && column < grid.image[2];
      tile.pixels[i] = inside ? image + (row * grid.image[2] + column) * input_.pixel : nullptr;
    }
    tile.channels = g_.channels_in;
    tile.padding = static_cast<int16_t>(arrays_.int8->input.zero_point);
    tile.words = words_ + index * depth_;
    tile.plane = word_plane_;
    TransformBytes(tile);
  }

  void Multiply(int64_t plane) const {
    WordProduct product{};
    product.rows = count_;
    product.depth = depth_;
    product.columns = columns_;
    product.a = words_ + plane * word_plane_;
    product.weight = static_cast<const int16_t*>(arrays_.weight) + plane * WordPlane(g_.channels_out, g_.channels_in);
    product.sums = sums_ + plane * sum_plane_;
    MultiplyWords(product);
  }

  /// Writes the outputs of the tiles [begin, end) of the piece, which lie in one image, several of a row at a time.
  void WriteImage(int64_t image, int64_t begin, int64_t end) const {
    constexpr int64_t kTogether = kMostInt8Height / 2;
    const auto [planes, rows, row_size] = g_.grid.positions;
    const Int8Product product = MakeProduct<Int8Product>(convolution_, arrays_, image, 0, 0, planes * rows * row_size);
    const auto* const weight = static_cast<const int16_t*>(arrays_.weight);
    const int16_t* const column_sums = weight + kWordPlanes * WordPlane(g_.channels_out, g_.channels_in);
    int32_t sums[2][kMostInt8Height * kInt8Columns];
    for (int64_t column = 0; column < columns_; column += kInt8Columns) {
      const Int8PanelResult result(product, column / kInt8Columns, 0,
                                   reinterpret_cast<const int8_t*>(column_sums + 2 * column));
      const int64_t width = std::min(kInt8Columns, columns_ - column);
      for (int64_t i = begin, next = begin; i < end; i = next) {
        const WinogradTiles::Place place = tiles_.At(first_ + i);
        while (next < std::min(end, i + kTogether) && tiles_.At(first_ + next).row == place.row) {
          const int64_t at = 2 * (next - i) * width;
          SumTile({sums_ + next * columns_ + column, sum_plane_, width, result.starts(), sums[0] + at, sums[1] + at});
          ++next;
        }
        const int64_t pixels = std::min(2 * (next - i), row_size - place.column);
        const int64_t position = place.row * row_size + place.column;
        result.Write(position, pixels, sums[0]);
        if (place.row + 1 < rows) result.Write(position + row_size, pixels, sums[1]);
      }
    }
  }

  const ChannelsLastConvolution& convolution_;
  const ConvolutionGeometry& g_;
  const ImageStrides& input_;
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

void RunWords(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const int64_t count = WinogradTiles(convolution, 2).count();
  ParallelItems(DivideUp(count, convolution.tile), convolution.workers, [&](int64_t worker, int64_t piece) {
    const int64_t first = piece * convolution.tile;
    const int64_t last = std::min(count, first + convolution.tile);
    WordPiece(convolution, arrays, first, last, arrays.workspace + worker * convolution.worker_bytes).Compute();
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunWords);

void RunInt8Winograd(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunWords)(convolution, arrays);
}

}  // namespace kuiper_infer::kernel
#endif

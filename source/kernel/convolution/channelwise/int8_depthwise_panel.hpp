// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/convolution/channelwise/int8_channel_tile.hpp"
#include "kernel/convolution/channelwise/int8_depthwise_layout.hpp"
#include "kernel/convolution/channelwise/row_quads.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/product/int8/panel_epilogue.hpp"
#include "kernel/product/int8/panels.hpp"
#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {

/// Pixels that neighbouring windows of a row cover, those between their taps and the padding, too.
inline int64_t CoveredPixels(const Window& window, int64_t windows) {
  return (windows - 1) * window.stride + (window.kernel - 1) * window.dilation + 1;
}

/// Bytes of the quads of such windows.
inline int64_t QuadBytes(const WindowGrid& grid, int64_t windows) {
  return QuadGroups(grid.window[1].kernel) * CoveredPixels(grid.window[2], windows) * kInt8Columns * 4;
}

/// Whether two rows of windows together lie over four rows of the image, or fewer.
inline bool SharesRows(const Window& height) { return height.stride == 1 && height.dilation == 1 && height.kernel < 4; }

/// One panel of channels of one image.
class Int8DepthwisePanel {
 public:
  Int8DepthwisePanel(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                     const Product& product, int64_t n, int64_t panel, std::byte* quads)
      : convolution_(convolution),
        image_(static_cast<const uint8_t*>(InputFrom(arrays, n * convolution.input.image + panel * kInt8Columns))),
        channels_(std::min(product.columns - panel * kInt8Columns, kInt8Columns)),
        width_(Int8PanelVectors(product.columns, panel) * kInt8Lanes),
        weight_(static_cast<const int8_t*>(arrays.weight) +
                Int8DepthwiseBytes(panel * kInt8Columns, convolution.geometry.grid.window[1].kernel)),
        quads_(reinterpret_cast<uint8_t*>(quads)),
        zero_(static_cast<uint8_t>(product.a.grid.zero_point)),
        tiles_(Int8TilesForPanel(Int8ChannelTilesOf(convolution.product->units.int8), WeightEnd(), width_)),
        result_(product, panel, tiles_.offset, WeightEnd()) {
    std::fill_n(padding_, kInt8Columns, zero_);
    const bool plain = result_.GivesPlainBytes(kInt8Lanes) && product.epilogue.residual.data == nullptr;
    writes_bytes_ = plain && tiles_.write != nullptr;
    if (rows_together_ > 1) SetLowerWeight();
  }

  /// Computes rows of windows.
  void ComputeRows(int64_t begin, int64_t end) const {
    const int64_t positions = convolution_.geometry.grid.positions[2];
    for (int64_t row = begin; row < end; row += rows_together_) {
      const int64_t rows = std::min(rows_together_, end - row);
      for (int64_t first = 0; first < positions; first += convolution_.tile) {
        ComputeWindows(row, rows, first, std::min(convolution_.tile, positions - first));
      }
    }
  }

 private:
  const Window& height() const { return convolution_.geometry.grid.window[1]; }
  const Window& width() const { return convolution_.geometry.grid.window[2]; }

  /// What lies behind the panel's taps.
  const int8_t* WeightEnd() const { return weight_ + QuadGroups(height().kernel) * width().kernel * width_ * 4; }

  /// Two rows of windows lie over the same four rows of the image: the weight that reads these one row further down.
  /// The last number of each quad is zero.
  void SetLowerWeight() {
    lower_weight_[0] = 0;
    std::copy_n(weight_, width().kernel * width_ * 4 - 1, lower_weight_ + 1);
  }

  void ComputeWindows(int64_t row, int64_t rows, int64_t first, int64_t count) const {
    const int64_t group_bytes = CoveredPixels(width(), count) * width_ * 4;
    const int64_t groups = QuadGroups(height().kernel);
    for (int64_t group = 0; group < groups; ++group) {
      FillQuads(row, rows, group, first, count, quads_ + group * group_bytes);
    }
    Int8ChannelTile tile{};
    tile.windows = count;
    tile.quads = quads_;
    tile.window_stride = width().stride * width_ * 4;
    tile.groups = groups;
    tile.group_stride = group_bytes;
    tile.taps = width().kernel;
    tile.tap_stride = width().dilation * width_ * 4;
    tile.vectors = width_ / kInt8Lanes;
    tile.starts = result_.starts();
    for (int64_t i = 0; i < rows; ++i) {
      tile.weight = i == 0 ? weight_ : lower_weight_;
      Write(tile, (row + i) * convolution_.geometry.grid.positions[2] + first);
    }
  }

  void Write(Int8ChannelTile& tile, int64_t position) const {
    alignas(kCacheLine) int32_t sums[kMostInt8Height * kInt8Columns];
    tile.sums = sums;
    if (writes_bytes_) {
      tiles_.write(tile, result_.At(position));
    } else {
      tiles_.sum(tile);
      result_.Write(position, tile.windows, sums);
    }
  }

  /// Interleaves a group of the rows under `output_rows` rows of these windows.
  void FillQuads(int64_t row, int64_t output_rows, int64_t group, int64_t first, int64_t count, uint8_t* quads) const {
    const Extents3& image = convolution_.geometry.grid.image;
    const int64_t pixel = convolution_.input.pixel;
    const int64_t begin = first * width().stride - width().padding_begin;
    const int64_t end = begin + CoveredPixels(width(), count);
    const int64_t inside = std::clamp<int64_t>(0, begin, end);
    const int64_t behind = std::clamp(image[2], inside, end);
    RowQuads rows{};
    rows.row_count = std::min<int64_t>(4, height().kernel + output_rows - 1 - group * 4);
    rows.pixels = behind - inside;
    rows.channels = channels_;
    rows.width = width_;
    rows.quads = quads + (inside - begin) * width_ * 4;
    for (int64_t i = 0; i < rows.row_count; ++i) {
      const int64_t y = row * height().stride - height().padding_begin + (group * 4 + i) * height().dilation;
      const bool padding = y < 0 || y >= image[1];
      rows.rows[i] = {padding ? padding_ : image_ + (y * image[2] + inside) * pixel, padding ? 0 : pixel};
    }
    std::fill(quads, rows.quads, zero_);
    InterleaveRows(rows);
    std::fill(quads + (behind - begin) * width_ * 4, quads + (end - begin) * width_ * 4, zero_);
  }

  const ChannelsLastConvolution& convolution_;
  const uint8_t* image_;
  int64_t channels_;
  int64_t width_;
  const int8_t* weight_;
  uint8_t* quads_;
  uint8_t zero_;
  uint8_t padding_[kInt8Columns];
  const Int8ChannelTiles& tiles_;
  Int8PanelEpilogue result_;
  bool writes_bytes_;
  const int64_t rows_together_ = SharesRows(height()) ? 2 : 1;
  alignas(kCacheLine) int8_t lower_weight_[3 * kInt8Columns * 4];
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/convolution/channels_last.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// The part [first, last) of a tile's rows or columns that lies inside of the image.
struct InsideRange {
  int64_t first;
  int64_t last;

  /// Of a tile that begins at `start` of an image that is so long.
  static InsideRange Of(int64_t start, int64_t size, int64_t extent) {
    return {std::max<int64_t>(0, -start), std::min(size, extent - start)};
  }
  bool Contains(int64_t i) const { return i >= first && i < last; }
  int64_t Length() const { return last - first; }
};

/// The tiles into which the outputs of a batch are cut, row by row, image by image.
class WinogradTiles {
 public:
  /// Tiles of m x m outputs.
  WinogradTiles(const ChannelsLastConvolution& convolution, int64_t m)
      : size_(m),
        piece_(convolution.tile),
        rows_(Cut(convolution.geometry.grid.positions[1])),
        columns_(Cut(convolution.geometry.grid.positions[2])),
        count_(convolution.geometry.batch * rows_ * columns_) {}

  /// The image and the first output of a tile.
  struct Place {
    int64_t image;
    int64_t row;
    int64_t column;
  };
  Place At(int64_t tile) const {
    return {tile / columns_ / rows_, tile / columns_ % rows_ * size_, tile % columns_ * size_};
  }
  int64_t count() const { return count_; }

  /// Floats from one plane of a piece's transformed numbers to the next: with a cache line between them, because lines
  /// that are a power of two apart would crowd in one set of the cache.
  int64_t PlaneSize(int64_t channels) const {
    constexpr int64_t kLine = kCacheLine / static_cast<int64_t>(sizeof(float));
    return RoundUp(piece_ * channels, kLine) + kLine;
  }

 private:
  int64_t Cut(int64_t extent) const { return DivideUp(extent, size_); }

  int64_t size_;
  int64_t piece_;
  int64_t rows_;
  int64_t columns_;
  int64_t count_;
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/convolution/channels_last.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

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

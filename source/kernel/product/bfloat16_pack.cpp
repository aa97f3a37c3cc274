// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "kernel/product/bfloat16_pieces.hpp"
#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/bfloat16_tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A panel of a packed weight.
class Panel {
 public:
  /// The panel of the columns from `first` on.
  Panel(int64_t columns, int64_t depth, int64_t first, int pieces, uint16_t* packed)
      : width_(BFloat16PanelVectors(columns, first / kBFloat16Columns) * kBFloat16Lanes),
        inside_(std::min(width_, columns - first)),
        numbers_(2 * BFloat16Pairs(depth)),
        pieces_(pieces),
        panel_(packed + first * numbers_ * pieces) {}

  int64_t columns() const { return inside_; }
  int64_t padded_depth() const { return numbers_; }

  /// Writes number k of the depth of some columns, or zeros where `values` is null, and zeros behind the last column.
  void Write(int64_t k, const float* values) const {
    std::array<uint16_t, kMostPieces * kBFloat16Columns> rounded{};
    if (values != nullptr && pieces_ == 1) PortableBFloat16Kernel().round(values, inside_, rounded.data());
    if (values != nullptr && pieces_ > 1) SplitBFloat16(values, inside_, pieces_, rounded.data(), kBFloat16Columns);
    const int64_t pair = k / 2;
    for (int piece = 0; piece < pieces_; ++piece) {
      const int64_t row = (pair / kBlockPairs * pieces_ + piece) * kBlockPairs + pair % kBlockPairs;
      uint16_t* const target = panel_ + row * width_ * 2 + k % 2;
      for (int64_t j = 0; j < width_; ++j) target[2 * j] = rounded[piece * kBFloat16Columns + j];
    }
  }

 private:
  int64_t width_;    ///< whole vectors
  int64_t inside_;   ///< columns that are there
  int64_t numbers_;  ///< of the depth, filled up
  int pieces_;
  uint16_t* panel_;
};

}  // namespace

int64_t PackedBFloat16Bytes(int64_t columns, int64_t depth, int pieces) {
  return RoundUp(columns, kBFloat16Lanes) * 2 * BFloat16Pairs(depth) * pieces * static_cast<int64_t>(sizeof(uint16_t));
}

int64_t BFloat16PanelColumns() { return kBFloat16Columns; }

void PackBFloat16Window(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                        uint16_t* packed, int pieces) {
  const int64_t depth = inputs * taps;
  for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
    const Panel panel(columns, depth, first, pieces, packed);
    std::array<float, kBFloat16Columns> row;
    for (int64_t k = 0; k < panel.padded_depth(); ++k) {
      const float* const source = transposed + first * ld + k % inputs * taps + k / inputs;
      for (int64_t j = 0; k < depth && j < panel.columns(); ++j) row[j] = source[j * ld];
      panel.Write(k, k < depth ? row.data() : nullptr);
    }
  }
}

void PackBFloat16Rows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                      uint16_t* packed, int pieces) {
  for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
    const Panel panel(columns, depth, first, pieces, packed);
    const int64_t end = first_row + count == depth ? panel.padded_depth() : first_row + count;
    for (int64_t k = first_row; k < end; ++k) {
      panel.Write(k, k < depth ? rows + (k - first_row) * ld + first : nullptr);
    }
  }
}

}  // namespace kuiper_infer::kernel

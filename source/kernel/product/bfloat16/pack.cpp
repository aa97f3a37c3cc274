// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/bfloat16/tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The depth that is rounded at once: whole blocks.
constexpr int64_t kPart = 128;

/// A column of a weight as its file has it, (inputs, taps), of which the numbers are wanted in (taps, inputs) order.
struct Window {
  int64_t inputs;
  int64_t taps;

  /// Numbers [k, k + count) of the column, times `scale`: where they lie, or copied to `scratch`.
  const float* Part(const float* column, int64_t k, int64_t count, float scale, float* scratch) const {
    if (taps == 1 && scale == 1) return column + k;
    int64_t tap = k / inputs;
    int64_t input = k % inputs;
    for (int64_t i = 0; i < count; ++i) {
      scratch[i] = column[input * taps + tap] * scale;
      if (++input < inputs) continue;
      input = 0;
      ++tap;
    }
    return scratch;
  }
};

/// Rounds numbers to bfloat16, or splits them; pieces of the same kind lie side by side, the next kind `stride` behind.
void RoundNumbers(const float* from, int64_t count, int pieces, uint16_t* to, int64_t stride) {
  if (pieces == 1) {
    BFloat16KernelOf(UsedMatrixUnit()).round(from, count, to);
  } else {
    SplitBFloat16(from, count, pieces, to, stride);
  }
}

/// A panel of a packed weight.
class Panel {
 public:
  /// The panel that column `first` lies in.
  Panel(int64_t columns, int64_t depth, int64_t first, int pieces, uint16_t* packed)
      : width_(BFloat16PanelVectors(columns, first / kBFloat16Columns) * kBFloat16Lanes),
        pieces_(pieces),
        panel_(packed + first / kBFloat16Columns * kBFloat16Columns * 2 * BFloat16Pairs(depth) * pieces) {}

  int64_t width() const { return width_; }  ///< columns, whole vectors

  /// Where a piece of a pair lies, of the panel's first column.
  uint16_t* At(int64_t pair, int piece) const {
    return panel_ + ((pair / kBlockPairs * pieces_ + piece) * kBlockPairs + pair % kBlockPairs) * width_ * 2;
  }

 private:
  int64_t width_;
  int pieces_;
  uint16_t* panel_;
};

/// Packs a vector of columns, of which `inside` are there and the others are zero, to columns from `column` on of a
/// panel. The numbers are multiplied by `scale` before they are rounded.
void PackVector(const Window& window, const float* columns, int64_t ld, int64_t inside, int pieces, float scale,
                const Panel& panel, int64_t column) {
  const int64_t depth = window.inputs * window.taps;
  std::array<std::array<uint16_t, kMostPieces * kPart>, kBFloat16Lanes> rounded{};
  std::array<float, kPart> scratch;
  for (int64_t k = 0; k < depth; k += kPart) {
    const int64_t count = std::min(kPart, depth - k);
    const int64_t filled = 2 * BFloat16Pairs(count);
    for (int64_t j = 0; j < inside; ++j) {
      const float* part = window.Part(columns + j * ld, k, count, scale, scratch.data());
      RoundNumbers(part, count, pieces, rounded[j].data(), kPart);
      for (int i = 0; i < pieces; ++i) std::fill_n(rounded[j].data() + i * kPart + count, filled - count, uint16_t{0});
    }
    for (int piece = 0; piece < pieces; ++piece) {
      for (int64_t i = 0; i < filled; i += 2) {
        uint16_t* const target = panel.At((k + i) / 2, piece) + 2 * column;
        for (int64_t j = 0; j < kBFloat16Lanes; ++j)
          std::memcpy(target + 2 * j, rounded[j].data() + piece * kPart + i, 2 * sizeof(uint16_t));
      }
    }
  }
}

}  // namespace

int64_t PackedBFloat16Bytes(int64_t columns, int64_t depth, int pieces) {
  return RoundUp(columns, kBFloat16Lanes) * 2 * BFloat16Pairs(depth) * pieces * static_cast<int64_t>(sizeof(uint16_t));
}

int64_t BFloat16PanelColumns() { return kBFloat16Columns; }

void PackBFloat16Window(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                        uint16_t* packed, int pieces, float scale) {
  for (int64_t first = 0; first < columns; first += kBFloat16Lanes) {
    const Panel panel(columns, inputs * taps, first, pieces, packed);
    PackVector({inputs, taps}, transposed + first * ld, ld, std::min(kBFloat16Lanes, columns - first), pieces, scale,
               panel, first % kBFloat16Columns);
  }
}

void PackBFloat16Rows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                      uint16_t* packed, int pieces) {
  using Row = std::array<uint16_t, kMostPieces * kBFloat16Columns>;
  const int64_t end = first_row + count == depth ? 2 * BFloat16Pairs(depth) : first_row + count;
  for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
    const Panel panel(columns, depth, first, pieces, packed);
    const int64_t inside = std::min(panel.width(), columns - first);
    for (int64_t k = first_row; k < end; k += 2) {
      std::array<Row, 2> pair{};
      for (int64_t i = 0; i < 2 && k + i < depth; ++i) {
        RoundNumbers(rows + (k + i - first_row) * ld + first, inside, pieces, pair[i].data(), kBFloat16Columns);
      }
      for (int piece = 0; piece < pieces; ++piece) {
        uint16_t* const target = panel.At(k / 2, piece);
        for (int64_t j = 0; j < panel.width(); ++j) {
          target[2 * j] = pair[0][piece * kBFloat16Columns + j];
          target[2 * j + 1] = pair[1][piece * kBFloat16Columns + j];
        }
      }
    }
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/bfloat16_tile.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The depth that is rounded at once.
constexpr int64_t kPiece = 128;

/// A column of a weight as its file has it, (inputs, taps), of which the numbers are wanted in (taps, inputs) order.
struct Window {
  int64_t inputs;
  int64_t taps;

  /// Numbers [k, k + count) of the column: where they lie, or copied to `scratch`.
  const float* Piece(const float* column, int64_t k, int64_t count, float* scratch) const {
    if (taps == 1) return column + k;
    int64_t tap = k / inputs;
    int64_t input = k % inputs;
    for (int64_t i = 0; i < count; ++i) {
      scratch[i] = column[input * taps + tap];
      if (++input < inputs) continue;
      input = 0;
      ++tap;
    }
    return scratch;
  }
};

/// Packs a vector of columns, of which `inside` are there and the others are zero, to `target`, where the pairs of a
/// panel are `pitch` numbers apart. The numbers are multiplied by `scale` before they are rounded.
void PackVector(const Window& window, const float* columns, int64_t ld, int64_t inside, float scale, int64_t pitch,
                uint16_t* target) {
  const auto round = BFloat16KernelOf(UsedMatrixUnit()).round;
  const int64_t depth = window.inputs * window.taps;
  std::array<std::array<uint16_t, kPiece>, kBFloat16Lanes> rounded{};
  std::array<float, kPiece> scratch;
  for (int64_t k = 0; k < depth; k += kPiece) {
    const int64_t count = std::min(kPiece, depth - k);
    for (int64_t j = 0; j < inside; ++j) {
      const float* piece = window.Piece(columns + j * ld, k, count, scratch.data());
      if (scale != 1) {
        for (int64_t i = 0; i < count; ++i) scratch[i] = piece[i] * scale;
        piece = scratch.data();
      }
      round(piece, count, rounded[j].data());
      if (count % 2 != 0) rounded[j][count] = 0;
    }
    for (int64_t i = 0; i < count; i += 2, target += pitch) {
      for (int64_t j = 0; j < kBFloat16Lanes; ++j)
        std::memcpy(target + 2 * j, rounded[j].data() + i, 2 * sizeof(uint16_t));
    }
  }
}

}  // namespace

int64_t PackedBFloat16Bytes(int64_t columns, int64_t depth) {
  return RoundUp(columns, kBFloat16Lanes) * 2 * BFloat16Pairs(depth) * static_cast<int64_t>(sizeof(uint16_t));
}

int64_t BFloat16PanelColumns() { return kBFloat16Columns; }

void PackBFloat16Window(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                        uint16_t* packed, float scale) {
  const int64_t numbers = 2 * BFloat16Pairs(inputs * taps);  // of a column
  for (int64_t first = 0; first < columns; first += kBFloat16Lanes) {
    const int64_t panel = first / kBFloat16Columns;
    const int64_t begin = panel * kBFloat16Columns;
    PackVector({inputs, taps}, transposed + first * ld, ld, std::min(kBFloat16Lanes, columns - first), scale,
               BFloat16PanelVectors(columns, panel) * kBFloat16Lanes * 2,
               packed + begin * numbers + (first - begin) * 2);
  }
}

void PackBFloat16Rows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                      uint16_t* packed) {
  const auto round = BFloat16KernelOf(UsedMatrixUnit()).round;
  std::array<uint16_t, kBFloat16Columns> even{};
  std::array<uint16_t, kBFloat16Columns> odd{};
  for (int64_t first = 0; first < columns; first += kBFloat16Columns) {
    const int64_t width = BFloat16PanelVectors(columns, first / kBFloat16Columns) * kBFloat16Lanes;
    const int64_t inside = std::min(width, columns - first);
    std::fill(even.begin() + inside, even.end(), uint16_t{0});
    std::fill(odd.begin() + inside, odd.end(), uint16_t{0});
    uint16_t* target = packed + first * 2 * BFloat16Pairs(depth) + first_row * width;
    for (int64_t k = 0; k < count; k += 2, target += 2 * width) {
      round(rows + k * ld + first, inside, even.data());
      if (k + 1 < count) {
        round(rows + (k + 1) * ld + first, inside, odd.data());
      } else {
        odd.fill(0);
      }
      for (int64_t j = 0; j < width; ++j) {
        target[2 * j] = even[j];
        target[2 * j + 1] = odd[j];
      }
    }
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

struct BFloat16Tile;

/// A float32 number as a sum of bfloat16 numbers: the first piece is the number rounded, the second what that leaves
/// out, rounded, the third what both leave out. Two pieces hold 16 bits of mantissa, three all 24. Pieces below 2^-126
/// are zero, which numbers below 2^-103 may lose.
constexpr int kMostPieces = 3;

/// Products of pieces that are added up, by the pieces' numbers. Those that are left out are below 2^-16 (of two
/// pieces) or 2^-24 (of three) of the whole product. From one to the next, one factor changes.
struct PieceProduct {
  int a;
  int weight;
};
struct PieceProducts {
  int count;
  PieceProduct list[6];
  const PieceProduct* begin() const { return list; }
  const PieceProduct* end() const { return list + count; }
};
inline const PieceProducts& ProductsOfPieces(int pieces) {
  static constexpr PieceProducts kProducts[kMostPieces] = {
      {1, {{0, 0}}},
      {3, {{1, 0}, {0, 0}, {0, 1}}},
      {6, {{2, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {0, 2}}},
  };
  return kProducts[pieces - 1];
}

/// Splits `count` numbers into 2 or 3 pieces: those of the same kind lie side by side, the next kind `stride` behind.
/// Of NaN and infinity the first piece is the same, the others are zero; no finite number's piece is infinite.
void SplitBFloat16(const float* from, int64_t count, int pieces, uint16_t* to, int64_t stride);

/// Looks for sums of a tile that are infinite or NaN, of `rows` rows and `vectors` vectors of columns from `vector` on,
/// and computes these as float32 does: from whole numbers, since an infinity times a piece that is zero is NaN.
void ReplaceNotFinite(const BFloat16Tile& tile, int64_t rows, int64_t vector, int64_t vectors, float* sums);

}  // namespace kuiper_infer::kernel

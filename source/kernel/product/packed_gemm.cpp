// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/packed_gemm.cpp"
#include "kernel/product/packed_gemm.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/gemm_tile-inl.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Returns the height of tiles for `rows` rows. The cost of a tile is its rows plus a few more for reading the other
/// factor.
int64_t TileRows(int64_t rows) {
  constexpr int64_t kReading = 3;
  int64_t best = kMostRows;
  int64_t least = INT64_MAX;
  for (int64_t height = kMostRows; height >= kFewestRows; --height) {
    const int64_t cost = DivideUp(rows, height) * (height + kReading);
    if (cost < least) {
      least = cost;
      best = height;
    }
  }
  return best;
}

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{64} << 10;

/// Packs a into panels of `height` rows, each (depth, height); rows beyond the last are zero.
void PackPanels(int64_t height, int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed) {
  ParallelFor(DivideUp(rows, height), DivideUp(kWorthThread, height * depth + 1), [&](int64_t first, int64_t last) {
    for (int64_t panel = first; panel < last; ++panel) {
      float* target = packed + panel * height * depth;
      const int64_t count = std::min(height, rows - panel * height);
      for (int64_t r = 0; r < height; ++r) {
        const float* source = a + (panel * height + r) * lda;
        for (int64_t k = 0; k < depth; ++k) target[k * height + r] = r < count ? source[k] : 0.0F;
      }
    }
  });
}

}  // namespace

int64_t PackedLeftSize(int64_t rows, int64_t depth) {
  const int64_t height = TileRows(rows);
  return DivideUp(rows, height) * height * depth;
}

void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed) {
  PackPanels(TileRows(rows), rows, depth, a, lda, packed);
}

/// Computes the tiles of one panel of the left factor, all columns.
void MultiplyPanel(int64_t height, int64_t columns, const Activation& activation, TileArguments tile) {
  const float* b = tile.b;
  float* c = tile.c;
  for (int64_t column = 0; column < columns; column += kTileColumns) {
    tile.columns = std::min(kTileColumns, columns - column);
    tile.b = b + column;
    tile.c = c + column;
    ChooseTile(height, tile.columns)(tile);
  }
  activation.ApplyRows(c, tile.rows, columns, tile.ldc);
}

void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc) {
  const int64_t height = TileRows(rows);
  const int64_t grain = DivideUp(kWorthThread, height * depth * columns + 1);
  ParallelFor(DivideUp(rows, height), grain, [&](int64_t first, int64_t last) {
    for (int64_t panel = first; panel < last; ++panel) {
      const int64_t row = panel * height;
      const float* bias = epilogue.bias != nullptr ? epilogue.bias + row : nullptr;
      MultiplyPanel(height, columns, epilogue.activation,
                    {depth, packed + row * depth, b, ldb, bias, c + row * ldc, ldc, std::min(height, rows - row), 0});
    }
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PackedLeftSize);
KUIPER_SIMD_TABLE(PackLeft);
KUIPER_SIMD_TABLE(MultiplyPackedLeft);

int64_t PackedLeftSize(int64_t rows, int64_t depth) { return KUIPER_SIMD(PackedLeftSize)(rows, depth); }

void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed) {
  KUIPER_SIMD(PackLeft)(rows, depth, a, lda, packed);
}

void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc) {
  KUIPER_SIMD(MultiplyPackedLeft)(rows, columns, depth, packed, b, ldb, epilogue, c, ldc);
}

}  // namespace kuiper_infer::kernel
#endif

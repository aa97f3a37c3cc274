// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/packed_gemm.cpp"
#include "kernel/packed_gemm.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/gemm_tile-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The height of tiles for so many rows: a tile costs its rows and, for reading the other factor, a few more.
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

/// Multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = 64 * 1024;
/// Products are summed up in parts of the depth, of which a panel of b stays in the first-level cache.
constexpr int64_t kDepthBlock = 256;

struct Product {
  int64_t rows, columns, depth;
  const float* a;  ///< panels of `height` rows, each (depth, height)
  int64_t height;
  const float* b;
  int64_t ldb;
  int64_t b_panel;  ///< floats from one kTileColumns of b's columns to the next
  const float* row_bias;
  const float* column_bias;
  const Activation& activation;
  float* c;
  int64_t ldc;
};

/// Panels of rows [first_panel, last_panel) times columns [first_column, last_column), which begin with a tile.
void MultiplyRange(const Product& p, int64_t first_panel, int64_t last_panel, int64_t first_column,
                   int64_t last_column) {
  const int64_t blocks = std::max<int64_t>(1, DivideUp(p.depth, kDepthBlock));
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t k = p.depth * block / blocks;
    const int64_t depth = p.depth * (block + 1) / blocks - k;
    const bool last = block + 1 == blocks;
    for (int64_t column = first_column; column < last_column; column += kTileColumns) {
      const int64_t columns = std::min(kTileColumns, last_column - column);
      const TileFunction run = ChooseTile(p.height, columns);
      const float* b = p.b + column / kTileColumns * p.b_panel + k * p.ldb;
      const float* column_bias = last && p.column_bias != nullptr ? p.column_bias + column : nullptr;
      for (int64_t row = first_panel * p.height; row < std::min(last_panel * p.height, p.rows); row += p.height) {
        const float* row_bias = last && p.row_bias != nullptr ? p.row_bias + row : nullptr;
        run({depth, p.a + row * p.depth + k * p.height, b, p.ldb, row_bias, column_bias, block > 0,
             p.c + row * p.ldc + column, p.ldc, std::min(p.height, p.rows - row), columns});
      }
    }
  }
  if (p.activation.function == nullptr) return;
  for (int64_t row = first_panel * p.height; row < std::min(last_panel * p.height, p.rows); ++row) {
    p.activation.Apply(p.c + row * p.ldc + first_column, last_column - first_column);
  }
}

}  // namespace

int64_t PackedLeftSize(int64_t rows, int64_t depth) {
  const int64_t height = TileRows(rows);
  return DivideUp(rows, height) * height * depth;
}

/// Panels of `height` rows, each (depth, height); rows beyond the last are zero.
void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed) {
  const int64_t height = TileRows(rows);
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

void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc) {
  const int64_t height = TileRows(rows);
  const Product product{
      rows, columns, depth, packed, height, b, ldb, kTileColumns, epilogue.bias, nullptr, epilogue.activation, c, ldc};
  ParallelFor(DivideUp(rows, height), DivideUp(kWorthThread, height * depth * columns + 1),
              [&](int64_t first, int64_t last) { MultiplyRange(product, first, last, 0, columns); });
}

int64_t PackedRightSize(int64_t columns, int64_t depth) {
  return DivideUp(columns, kTileColumns) * kTileColumns * depth;
}

/// Panels of a tile's width, each (depth, width); columns beyond the last are zero.
void PackRight(int64_t columns, int64_t depth, const float* transposed, float* packed) {
  constexpr int64_t width = kTileColumns;
  ParallelFor(DivideUp(columns, width), DivideUp(kWorthThread, width * depth + 1), [&](int64_t first, int64_t last) {
    for (int64_t panel = first; panel < last; ++panel) {
      float* target = packed + panel * width * depth;
      const int64_t count = std::min(width, columns - panel * width);
      for (int64_t i = 0; i < width; ++i) {
        const float* source = transposed + (panel * width + i) * depth;
        for (int64_t k = 0; k < depth; ++k) target[k * width + i] = i < count ? source[k] : 0.0F;
      }
    }
  });
}

void MultiplyPackedRight(int64_t rows, int64_t columns, int64_t depth, const float* a, int64_t lda, const float* packed,
                         const GemmEpilogue& epilogue, float* c, int64_t ldc, float* workspace) {
  PackLeft(rows, depth, a, lda, workspace);
  const int64_t height = TileRows(rows);
  const Product product{rows,
                        columns,
                        depth,
                        workspace,
                        height,
                        packed,
                        kTileColumns,
                        kTileColumns * depth,
                        nullptr,
                        epilogue.bias,
                        epilogue.activation,
                        c,
                        ldc};
  ParallelFor(DivideUp(columns, kTileColumns), DivideUp(kWorthThread, rows * depth * kTileColumns + 1),
              [&](int64_t first, int64_t last) {
                MultiplyRange(product, 0, DivideUp(rows, height), first * kTileColumns,
                              std::min(columns, last * kTileColumns));
              });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PackedLeftSize);
KUIPER_SIMD_TABLE(PackLeft);
KUIPER_SIMD_TABLE(MultiplyPackedLeft);
KUIPER_SIMD_TABLE(PackedRightSize);
KUIPER_SIMD_TABLE(PackRight);
KUIPER_SIMD_TABLE(MultiplyPackedRight);

bool HasPackedGemm() { return UsedIsa() >= Isa::kAvx2; }

int64_t PackedLeftSize(int64_t rows, int64_t depth) { return KUIPER_SIMD(PackedLeftSize)(rows, depth); }

void PackLeft(int64_t rows, int64_t depth, const float* a, int64_t lda, float* packed) {
  KUIPER_SIMD(PackLeft)(rows, depth, a, lda, packed);
}

void MultiplyPackedLeft(int64_t rows, int64_t columns, int64_t depth, const float* packed, const float* b, int64_t ldb,
                        const GemmEpilogue& epilogue, float* c, int64_t ldc) {
  KUIPER_SIMD(MultiplyPackedLeft)(rows, columns, depth, packed, b, ldb, epilogue, c, ldc);
}

int64_t PackedRightSize(int64_t columns, int64_t depth) { return KUIPER_SIMD(PackedRightSize)(columns, depth); }

void PackRight(int64_t columns, int64_t depth, const float* transposed, float* packed) {
  KUIPER_SIMD(PackRight)(columns, depth, transposed, packed);
}

void MultiplyPackedRight(int64_t rows, int64_t columns, int64_t depth, const float* a, int64_t lda, const float* packed,
                         const GemmEpilogue& epilogue, float* c, int64_t ldc, float* workspace) {
  KUIPER_SIMD(MultiplyPackedRight)(rows, columns, depth, a, lda, packed, epilogue, c, ldc, workspace);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/weight_product.cpp"
#include "kernel/product/weight_product.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/bfloat16_product.hpp"
#include "kernel/product/bfloat16_tile.hpp"
#include "kernel/product/product_cut.hpp"
#include "kernel/product/tile_result.hpp"
#include "kernel/product/weight_tile-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{64} << 10;
/// The depth of a panel of the weight that stays in the first-level cache while the rows pass.
constexpr int64_t kDepthBlock = 192;
/// The number of floats of the rows that are multiplied by one panel after the other while they stay in the
/// second-level cache.
constexpr int64_t kRowBlockFloats = int64_t{192} << 10;

/// The vectors that the columns of panel `panel` fill, the last one perhaps in part; the panels before it are full.
int64_t PanelVectors(int64_t columns, int64_t panel) {
  return std::min<int64_t>(kPanelVectors, DivideUp(columns - panel * kPanelColumns, kLanes));
}

/// Rows of the weight that are multiplied before the next ones; rows in segments are not cut.
int64_t DepthBlock(const WeightProduct& p) { return p.segments == 1 ? kDepthBlock : std::max<int64_t>(p.depth, 1); }

/// The address of row k of the weight in a panel.
const float* WeightAt(const WeightProduct& p, int64_t panel, int64_t k) {
  return static_cast<const float*>(p.weight) + panel * kPanelColumns * p.depth * p.segments +
         k * PanelVectors(p.columns, panel) * kLanes;
}

/// Computes the rows [first, last) of the product by one panel of the weight from row k on, in tiles of equal height.
/// `next` is the part of the weight that comes afterwards, from afar: each tile fetches its share.
void MultiplyPanel(const WeightProduct& p, int64_t panel, int64_t k, int64_t first, int64_t last, const float* next) {
  const int64_t column = panel * kPanelColumns;
  const int64_t vectors = PanelVectors(p.columns, panel);
  const int64_t tiles = DivideUp(last - first, kTileHeights[vectors - 1]);
  const TileResults results(p, column, std::min(p.columns - column, vectors * kLanes), k == 0,
                            k + DepthBlock(p) >= p.depth);
  WeightTile tile{};
  tile.segments = p.segments;
  tile.segment_stride = p.segment_stride;
  tile.depth = std::min(DepthBlock(p), p.depth - k);
  tile.lda = p.lda;
  tile.weight = WeightAt(p, panel, k);
  if (p.factors != nullptr) tile.factors = p.factors + k;
  tile.next_stride = vectors * kLanes / tiles + 1;
  for (int64_t i = 0; i < tiles; ++i) {
    const int64_t row = first + (last - first) * i / tiles;
    const int64_t count = first + (last - first) * (i + 1) / tiles - row;
    tile.a = p.a + row * p.lda + k;
    tile.next = next + tile.depth * i * tile.next_stride;
    tile.result = results.From(row);
    ChooseWeightTile(vectors, count)(tile);
    results.Finish(tile.result, count);
  }
}

}  // namespace

int64_t PackedWeightSize(int64_t columns, int64_t depth) { return DivideUp(columns, kLanes) * kLanes * depth; }

int64_t WeightPanelColumns() { return kPanelColumns; }

void PackWindowWeight(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                      float* packed) {
  const int64_t panels = DivideUp(columns, kPanelColumns);
  const int64_t depth = inputs * taps;
  ParallelFor(panels, DivideUp(kWorthThread, kPanelColumns * depth + 1), [&](int64_t begin, int64_t end) {
    const int64_t piece = std::max<int64_t>(1, kLanes / taps);  // short: its cache lines stay until they are full
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel * kPanelColumns;
      const int64_t width = PanelVectors(columns, panel) * kLanes;
      const int64_t inside = std::min(width, columns - first);
      float* target = packed + first * depth;
      for (int64_t input = 0; input < inputs; input += piece) {
        const int64_t last = std::min(inputs, input + piece);
        for (int64_t j = 0; j < inside; ++j) {
          const float* source = transposed + (first + j) * ld;
          for (int64_t i = input; i < last; ++i) {
            for (int64_t t = 0; t < taps; ++t) target[(t * inputs + i) * width + j] = source[i * taps + t];
          }
        }
      }
      for (int64_t k = 0; inside < width && k < depth; ++k) {
        std::fill(target + k * width + inside, target + (k + 1) * width, 0.0F);
      }
    }
  });
}

void PackWeightRows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                    float* packed) {
  for (int64_t first = 0; first < columns; first += kPanelColumns) {
    const int64_t width = PanelVectors(columns, first / kPanelColumns) * kLanes;
    const int64_t inside = std::min(width, columns - first);
    float* target = packed + first * depth + first_row * width;
    for (int64_t k = 0; k < count; ++k, target += width) {
      std::copy_n(rows + k * ld + first, inside, target);
      std::fill_n(target + inside, width - inside, 0.0F);
    }
  }
}

void UnpackWeight(int64_t columns, int64_t depth, const float* packed, float* values, int64_t row_stride,
                  int64_t column_stride) {
  for (int64_t first = 0; first < columns; first += kPanelColumns) {
    const int64_t width = PanelVectors(columns, first / kPanelColumns) * kLanes;
    const int64_t inside = std::min(width, columns - first);
    for (int64_t k = 0; k < depth; ++k, packed += width) {
      for (int64_t j = 0; j < inside; ++j) values[k * row_stride + (first + j) * column_stride] = packed[j];
    }
  }
}

void MultiplyByWeight(const WeightProduct& p) {
  if (p.rows == 0 || p.columns == 0) return;
  const int64_t panels = DivideUp(p.columns, kPanelColumns);
  const int64_t height = kTileHeights[PanelVectors(p.columns, 0) - 1];
  const int64_t tiles = DivideUp(p.rows, height);
  const int64_t block = std::max<int64_t>(1, kRowBlockFloats / std::min(p.depth + 1, kDepthBlock) / height) * height;
  const auto multiply = [&](int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) {
    for (int64_t row = first_row; row < last_row; row += block) {
      for (int64_t panel = first_panel; panel < last_panel; ++panel) {
        for (int64_t k = 0; k == 0 || k < p.depth; k += DepthBlock(p)) {
          const bool last = k + DepthBlock(p) >= p.depth;
          const float* next = last ? WeightAt(p, panel + 1 == last_panel ? first_panel : panel + 1, 0)
                                   : WeightAt(p, panel, k + DepthBlock(p));
          MultiplyPanel(p, panel, k, row, std::min(last_row, row + block), next);
        }
      }
    }
  };
  if (CutsColumns(p.rows, p.columns, panels, tiles, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * p.depth * p.segments * kPanelColumns + 1),
                [&](int64_t begin, int64_t end) { multiply(begin, end, 0, p.rows); });
  } else {
    ParallelFor(
        tiles, DivideUp(kWorthThread, height * p.depth * p.segments * p.columns + 1),
        [&](int64_t begin, int64_t end) { multiply(0, panels, begin * height, std::min(p.rows, end * height)); });
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PackedWeightSize);
KUIPER_SIMD_TABLE(WeightPanelColumns);
KUIPER_SIMD_TABLE(PackWindowWeight);
KUIPER_SIMD_TABLE(PackWeightRows);
KUIPER_SIMD_TABLE(UnpackWeight);
KUIPER_SIMD_TABLE(MultiplyByWeight);

bool HasWeightProduct() { return HWY_ARCH_ARM_A64 || UsedIsa() >= Isa::kAvx2; }

int64_t PackedWeightSize(int64_t columns, int64_t depth) { return KUIPER_SIMD(PackedWeightSize)(columns, depth); }

int64_t WeightPanelColumns() { return KUIPER_SIMD(WeightPanelColumns)(); }

void PackWindowWeight(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                      float* packed) {
  KUIPER_SIMD(PackWindowWeight)(columns, inputs, taps, transposed, ld, packed);
}

void PackWeight(int64_t columns, int64_t depth, const float* transposed, int64_t ld, float* packed) {
  PackWindowWeight(columns, depth, 1, transposed, ld, packed);
}

void PackWeightRows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                    float* packed) {
  KUIPER_SIMD(PackWeightRows)(columns, depth, first_row, count, rows, ld, packed);
}

void UnpackWeight(int64_t columns, int64_t depth, const float* packed, float* values, int64_t row_stride,
                  int64_t column_stride) {
  KUIPER_SIMD(UnpackWeight)(columns, depth, packed, values, row_stride, column_stride);
}

void MultiplyByWeight(const WeightProduct& product) {
  if (product.weight_type.element == RuntimeDataType::kTypeBFloat16) {
    MultiplyByBFloat16Weight(product, BFloat16KernelOf(UsedMatrixUnit(), product.weight_type.pieces));
  } else {
    KUIPER_SIMD(MultiplyByWeight)(product);
  }
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/weight_product.cpp"
#include "kernel/product/weight_product.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/float_panels-inl.hpp"
#include "kernel/product/quantized/product.hpp"
#include "kernel/product/scaled_product-inl.hpp"
#include "kernel/product/transpose-inl.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {

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
      if (taps == 1) CopyTransposed(inside, inputs, transposed + first * ld, ld, target, width);
      for (int64_t input = 0; taps > 1 && input < inputs; input += piece) {
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
  p.factors == nullptr ? MultiplyInPanels<FloatPanels>(p) : MultiplyScaled(p);
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
  switch (product.weight_type.element) {
    case RuntimeDataType::kTypeBFloat16:
      return MultiplyByBFloat16Weight(product, BFloat16KernelOf(UsedMatrixUnit(), product.weight_type.pieces));
    case RuntimeDataType::kTypeInt8:
    case RuntimeDataType::kTypeUInt8:
      return MultiplyByQuantizedWeight(product);
    default:
      return KUIPER_SIMD(MultiplyByWeight)(product);
  }
}

}  // namespace kuiper_infer::kernel
#endif

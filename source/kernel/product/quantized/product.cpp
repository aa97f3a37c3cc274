// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/quantized/product.cpp"
#include "kernel/product/quantized/product.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/product_parts-inl.hpp"
#include "kernel/product/quantized/tile-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Bytes of `columns` columns, of which all before the last panel fill theirs.
int64_t Bytes(int bits, int64_t columns, int64_t depth) {
  const int64_t full = columns / kPanelColumns;
  const int64_t last = DivideUp(columns % kPanelColumns, kLanes);
  return (full * RowBytes(bits, kPanelVectors) + RowBytes(bits, last)) * depth;
}

/// Up to so many rows the tiles read the integers themselves.
constexpr int kFewRows = 24;

/// A weight of integers; its numbers are made when they are read.
template <int kBits>
class QuantizedPanels {
 public:
  explicit QuantizedPanels(const WeightProduct& p) : p_(p) {}

  void Multiply(int64_t panel, int64_t k, int64_t first, int64_t last, int64_t /*next_panel*/, int64_t /*next_k*/) {
    const int64_t vectors = PanelVectors(p_.columns, panel);
    QuantizedBlock block{};
    block.integers = static_cast<const uint8_t*>(p_.weight) + Bytes(kBits, panel * kPanelColumns, p_.depth) +
                     k * RowBytes(kBits, vectors);
    block.scales = p_.scales.packed + panel * kPanelColumns * p_.scales.groups;
    block.group_depth = p_.depth / p_.scales.groups;
    block.first = k;
    block.last = std::min(p_.depth, k + DepthBlock(p_));
    if (last - first > kFewRows) {
      ChooseTile<QuantizedWriters<kBits>>(vectors, 1)(block, numbers_);
      MultiplyPanel(p_, panel, k, RowsFrom(p_, k, first, last), numbers_, numbers_);
      return;
    }
    const TileResults results = PanelResults(p_, panel, k);
    const int64_t tiles = DivideUp(last - first, kQuantizedHeight);
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t row = first + (last - first) * i / tiles;
      const int64_t rows = first + (last - first) * (i + 1) / tiles - row;
      const float* const a = static_cast<const float*>(p_.a) + row * p_.lda + k;
      const TileResult result = results.From(row);
      ChooseTile<QuantizedTiles<kBits>>(vectors, rows)(block, a, p_.lda, result);
      results.Finish(result, rows);
    }
  }

 private:
  const WeightProduct& p_;
  HWY_ALIGN float numbers_[kDepthBlock * kPanelColumns];
};

/// The integer's place in a panel's row: byte and, of 4 bits, whether it is the high half.
int64_t ByteOf(int bits, int64_t column) {
  return bits == 8 ? column : column / (2 * kLanes) * kLanes + column % kLanes;
}
bool IsHigh(int bits, int64_t column) { return bits == 4 && column / kLanes % 2 == 1; }

}  // namespace

int64_t PackedIntegerBytes(int bits, int64_t columns, int64_t depth) { return Bytes(bits, columns, depth); }

void PackIntegers(int bits, int64_t columns, int64_t depth, const float* transposed, int64_t ld, uint8_t* packed) {
  if (depth == 0) return;  // `packed` may be null
  std::fill_n(packed, Bytes(bits, columns, depth), uint8_t{0});
  for (int64_t j = 0; j < columns; ++j) {
    const int64_t panel = j / kPanelColumns;
    const int64_t bytes = RowBytes(bits, PanelVectors(columns, panel));
    uint8_t* target = packed + Bytes(bits, panel * kPanelColumns, depth) + ByteOf(bits, j % kPanelColumns);
    const int shift = IsHigh(bits, j) ? 4 : 0;
    for (int64_t k = 0; k < depth; ++k, target += bytes) {
      const int number = static_cast<int>(transposed[j * ld + k]);
      *target |= static_cast<uint8_t>((bits == 8 ? number & 0xFF : number & 0xF) << shift);
    }
  }
}

void UnpackIntegers(int bits, int64_t columns, int64_t depth, const uint8_t* packed, float* transposed) {
  if (depth == 0) return;  // `packed` may be null
  for (int64_t j = 0; j < columns; ++j) {
    const int64_t panel = j / kPanelColumns;
    const int64_t bytes = RowBytes(bits, PanelVectors(columns, panel));
    const uint8_t* source = packed + Bytes(bits, panel * kPanelColumns, depth) + ByteOf(bits, j % kPanelColumns);
    const int shift = IsHigh(bits, j) ? 4 : 0;
    for (int64_t k = 0; k < depth; ++k, source += bytes) {
      const int number = *source >> shift;
      *transposed++ = static_cast<float>(bits == 8 ? static_cast<int8_t>(number) : ((number & 0xF) ^ 8) - 8);
    }
  }
}

void MultiplyByQuantizedWeight(const WeightProduct& p) {
  p.weight_type == RuntimeDataType::kTypeInt8 ? MultiplyInPanels<QuantizedPanels<8>>(p)
                                              : MultiplyInPanels<QuantizedPanels<4>>(p);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PackedIntegerBytes);
KUIPER_SIMD_TABLE(PackIntegers);
KUIPER_SIMD_TABLE(UnpackIntegers);
KUIPER_SIMD_TABLE(MultiplyByQuantizedWeight);

int64_t PackedIntegerBytes(int bits, int64_t columns, int64_t depth) {
  return KUIPER_SIMD(PackedIntegerBytes)(bits, columns, depth);
}

void PackIntegers(int bits, int64_t columns, int64_t depth, const float* transposed, int64_t ld, uint8_t* packed) {
  KUIPER_SIMD(PackIntegers)(bits, columns, depth, transposed, ld, packed);
}

void UnpackIntegers(int bits, int64_t columns, int64_t depth, const uint8_t* packed, float* transposed) {
  KUIPER_SIMD(UnpackIntegers)(bits, columns, depth, packed, transposed);
}

void MultiplyByQuantizedWeight(const WeightProduct& product) { KUIPER_SIMD(MultiplyByQuantizedWeight)(product); }

}  // namespace kuiper_infer::kernel
#endif

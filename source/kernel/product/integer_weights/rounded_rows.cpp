// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/integer_weights/rounded_rows.cpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"

#include <algorithm>
#include <cstring>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Calls visit(block, first, count) for the blocks of a row.
template <class Visit>
void ForBlocks(const RoundedRowLayout& layout, const Visit& visit) {
  const int64_t group_depth = layout.group_depth();
  int64_t block = 0;
  for (int64_t group = 0; group < layout.depth; group += group_depth) {
    for (int64_t k = 0; k < group_depth; k += kMostRoundedBlock) {
      visit(block++, group + k, std::min(kMostRoundedBlock, group_depth - k));
    }
  }
}

/// Makes integers of two bytes of those at `bytes`, which are the last part of the row's place.
void WidenRow(int64_t padded_depth, const int8_t* bytes, int8_t* row) {
  for (int64_t k = 0; k < padded_depth; k += 4, row += 8) {
    const int16_t four[4] = {bytes[k], bytes[k + 2], bytes[k + 1], bytes[k + 3]};
    std::memcpy(row, four, sizeof(four));
  }
}

}  // namespace

void RoundRowsOfTarget(const RoundedRowLayout& layout, int64_t rows, const float* x, int64_t ld, int32_t factor,
                       int8_t* integers) {
  float* scales = layout.ScalesOf(integers, rows);
  int32_t* offsets = layout.OffsetsOf(integers, rows);
  for (int64_t row = 0; row < rows; ++row, x += ld, integers += layout.ld()) {
    int8_t* const bytes = integers + layout.ld() - layout.padded_depth();
    // In two passes, so that the CPU finds the scales of several blocks at once. In between, inverses of the scales
    // stand for the offsets.
    ForBlocks(layout, [&](int64_t block, int64_t first, int64_t count) {
      const Steps steps = StepsOf(count, x + first);
      scales[block] = steps.scale;
      std::memcpy(offsets + block, &steps.inverse, sizeof(steps.inverse));
    });
    ForBlocks(layout, [&](int64_t block, int64_t first, int64_t count) {
      float inverse = 0;
      std::memcpy(&inverse, offsets + block, sizeof(inverse));
      offsets[block] = factor * RoundBlock(inverse, count, x + first, bytes + first);
    });
    std::fill(bytes + layout.depth, bytes + layout.padded_depth(), int8_t{0});
    if (layout.integer_bytes == 2) WidenRow(layout.padded_depth(), bytes, integers);
    scales += layout.blocks();
    offsets += layout.blocks();
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RoundRowsOfTarget);

void RoundRowsInBlocks(const RoundedRowLayout& layout, int64_t rows, const float* x, int64_t ld, int32_t factor,
                       int8_t* integers) {
  KUIPER_SIMD(RoundRowsOfTarget)(layout, rows, x, ld, factor, integers);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/integer_weights/rounded_rows.cpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/four_results-inl.hpp"
#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Calls visit(block, first, count) for the blocks of a row. The first `done` groups, which are blocks, are left out.
template <class Visit>
void ForBlocks(const RoundedRowLayout& layout, int64_t done, const Visit& visit) {
  const int64_t group_depth = layout.group_depth();
  int64_t block = done;
  for (int64_t group = done * group_depth; group < layout.depth; group += group_depth) {
    for (int64_t k = 0; k < group_depth; k += kMostRoundedBlock) {
      visit(block++, group + k, std::min(kMostRoundedBlock, group_depth - k));
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
/// The steps (StepsOf) of four blocks, of which `largest` holds the largest magnitudes.
HWY_INLINE void StepsOfFour(hn::Vec<hn::FixedTag<float, 4>> largest, float* scales, float* inverses) {
  const hn::FixedTag<float, 4> d;
  const auto most = hn::Set(d, kMost);
  const auto finite = hn::Le(largest, hn::Set(d, std::numeric_limits<float>::max()));
  const auto usable = hn::And(finite, hn::Ge(largest, hn::Set(d, kLeastMagnitude)));
  const auto otherwise = hn::IfThenElse(finite, hn::Set(d, 1.0F), hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
  hn::StoreU(hn::IfThenElse(usable, hn::Div(largest, most), otherwise), d, scales);
  hn::Store(hn::IfThenElseZero(usable, hn::Div(most, largest)), d, inverses);
}

/// Rounds as many groups as are blocks, four at a time: their scales are computed together. Returns their number, 0 if
/// groups are no blocks of whole vectors.
inline int64_t RoundFours(const RoundedRowLayout& layout, const float* x, int32_t factor, int8_t* bytes, float* scales,
                          int32_t* offsets) {
  const int64_t count = layout.group_depth();
  if (count > kMostRoundedBlock || count % kLanes != 0) return 0;
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<int32_t, 4> words;
  const auto most = [](const auto a, const auto b) HWY_ATTR { return hn::Max(a, b); };
  const auto sum = [](const auto a, const auto b) HWY_ATTR { return hn::Add(a, b); };
  int64_t block = 0;
  for (; block + 4 <= layout.groups; block += 4, x += 4 * count, bytes += 4 * count) {
    WordVector lanes[4];
#pragma GCC unroll 4
    for (int64_t i = 0; i < 4; ++i) lanes[i] = LargestMagnitudes(count, x + i * count);
    alignas(16) float inverses[4];
    StepsOfFour(hn::BitCast(d, FourResults(Words(), lanes, most)), scales + block, inverses);
#pragma GCC unroll 4
    for (int64_t i = 0; i < 4; ++i) lanes[i] = RoundNumbers(inverses[i], count, x + i * count, bytes + i * count);
    hn::StoreU(hn::Mul(hn::Set(words, factor), FourResults(Words(), lanes, sum)), words, offsets + block);
  }
  return block;
}
#else
inline int64_t RoundFours(const RoundedRowLayout& /*layout*/, const float* /*x*/, int32_t /*factor*/, int8_t* /*bytes*/,
                          float* /*scales*/, int32_t* /*offsets*/) {
  return 0;
}
#endif

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
    const int64_t done = RoundFours(layout, x, factor, bytes, scales, offsets);
    ForBlocks(layout, done, [&](int64_t block, int64_t first, int64_t count) {
      const Steps steps = StepsOf(count, x + first);
      scales[block] = steps.scale;
      std::memcpy(offsets + block, &steps.inverse, sizeof(steps.inverse));
    });
    ForBlocks(layout, done, [&](int64_t block, int64_t first, int64_t count) {
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

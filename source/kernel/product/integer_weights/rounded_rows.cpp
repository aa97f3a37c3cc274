// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/integer_weights/rounded_rows.cpp"
#include "kernel/product/integer_weights/rounded_rows.hpp"

#include <cstring>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

Steps StepsOfBlock(int64_t count, const float* x) {
  WordVector most = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR { most = hn::Max(most, Magnitude(part.Load(x + i))); });
  float largest = 0;
  const int32_t bits = hn::GetLane(hn::MaxOfLanes(Words(), most));
  std::memcpy(&largest, &bits, sizeof(largest));
  return Steps(largest);
}

/// Returns the sum of the block's integers.
int32_t RoundBlock(const Steps& steps, int64_t count, const float* x, int8_t* integers) {
  const FloatVector inverse = hn::Set(Floats(), steps.inverse);
  WordVector sum = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR {
    const WordVector words = Rounded(part.Load(x + i), inverse);
    sum = hn::Add(sum, words);
    uint8_t bytes[kLanes];
    hn::StoreU(LowBytes(words), Bytes(), bytes);
    std::memcpy(integers + i, bytes, static_cast<std::size_t>(std::min(kLanes, count - i)));
  });
  return hn::GetLane(hn::SumOfLanes(Words(), sum));
}

}  // namespace

void RoundRowsOfTarget(const RoundedRowLayout& layout, int64_t rows, const float* x, int64_t ld, int32_t factor,
                       int8_t* integers) {
  const int64_t group_depth = layout.group_depth();
  float* scales = layout.ScalesOf(integers, rows);
  int32_t* offsets = layout.OffsetsOf(integers, rows);
  for (int64_t row = 0; row < rows; ++row, x += ld, integers += layout.ld()) {
    for (int64_t group = 0; group < layout.depth; group += group_depth) {
      for (int64_t k = group; k < group + group_depth; k += kMostRoundedBlock) {
        const int64_t count = std::min(kMostRoundedBlock, group + group_depth - k);
        const Steps steps = StepsOfBlock(count, x + k);
        *scales++ = steps.scale;
        *offsets++ = factor * RoundBlock(steps, count, x + k, integers + k);
      }
    }
    std::fill(integers + layout.depth, integers + layout.ld(), int8_t{0});
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

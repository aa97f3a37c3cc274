// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/sampling/range_sums.cpp"
#include "text/sampling/range_sums.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "text/sampling/logit_sums.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::text::HWY_NAMESPACE {
namespace {

bool IsIn(const Range& range, float x) { return x >= range.least && x <= range.most; }

/// Tokens one after the other.
RangeSum SumTokens(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end, RangeSum sum) {
  for (int64_t i = first; i < end; ++i) {
    const float x = (tokens.logits[i] - tokens.largest) * tokens.scale;
    if (IsIn(inner, x)) {
      sum.weight += static_cast<double>(tokens.weights[i]);
    } else if (IsIn(outer, x)) {
      *sum.between_end++ = static_cast<int32_t>(i);
    }
  }
  return sum;
}

#if HWY_TARGET == HWY_SCALAR

RangeSum SumBlock(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end,
                  int32_t* between) {
  return SumTokens(tokens, inner, outer, first, end, {0, between});
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

HWY_INLINE hn::Mask<Floats> AreIn(const Range& range, hn::Vec<Floats> x) {
  const Floats d;
  return hn::And(hn::Ge(x, hn::Set(d, range.least)), hn::Le(x, hn::Set(d, range.most)));
}

RangeSum SumBlock(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end,
                  int32_t* between) {
  const Floats d;
  const hn::Half<Floats> dh;
  const hn::Repartition<double, Floats> dd;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto low = hn::Zero(dd);
  auto high = hn::Zero(dd);
  uint64_t between_bits = 0;  // one for each token of the block
  int64_t i = first;
  for (; i + lanes <= end; i += lanes) {
    const auto logits = hn::LoadU(d, tokens.logits + i);
    const auto x = hn::Mul(hn::Sub(logits, hn::Set(d, tokens.largest)), hn::Set(d, tokens.scale));
    const auto are_inner = AreIn(inner, x);
    // The sum is in double: then only its last bits depend on which tokens are added here.
    const auto weights = hn::IfThenElseZero(are_inner, hn::LoadU(d, tokens.weights + i));
    low = hn::Add(low, hn::PromoteTo(dd, hn::LowerHalf(dh, weights)));
    high = hn::Add(high, hn::PromoteTo(dd, hn::UpperHalf(dh, weights)));
    const auto are_between = hn::AndNot(are_inner, AreIn(outer, x));
    uint64_t bits = 0;
    hn::StoreMaskBits(d, are_between, reinterpret_cast<uint8_t*>(&bits));
    between_bits |= bits << (i - first);
  }
  for (; between_bits != 0; between_bits &= between_bits - 1) {  // each round clears the lowest bit
    *between++ = static_cast<int32_t>(first) + static_cast<int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(between_bits));
  }
  return SumTokens(tokens, inner, outer, i, end, {hn::GetLane(hn::SumOfLanes(dd, hn::Add(low, high))), between});
}

#endif

}  // namespace

RangeSum SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between) {
  double total = 0;
  int32_t* between_end = between;
  for (int64_t first = 0; first < tokens.count; first += kLogitBlock) {
    const int64_t block = first / kLogitBlock;
    blocks[block] = 0;
    if ((tokens.maxima[block] - tokens.largest) * tokens.scale < std::min(inner.least, outer.least)) continue;
    const int64_t end = std::min(tokens.count, first + kLogitBlock);
    const RangeSum sum = SumBlock(tokens, inner, outer, first, end, between_end);
    blocks[block] = sum.weight;
    total += sum.weight;
    between_end = sum.between_end;
  }
  return {total, between_end};
}

}  // namespace kuiper_infer::text::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::text {

KUIPER_SIMD_TABLE(SumRange);

RangeSum SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between) {
  return KUIPER_SIMD(SumRange)(tokens, inner, outer, blocks, between);
}

}  // namespace kuiper_infer::text
#endif

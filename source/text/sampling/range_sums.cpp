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

/// The weight of the tokens of a block in `inner`, and the end of the list of those between `inner` and `outer`.
struct BlockSum {
  double weight = 0;
  int32_t* between_end = nullptr;
};

bool IsIn(const Range& range, float x) { return x >= range.least && x <= range.most; }

/// Tokens one after the other.
BlockSum SumTokens(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end, BlockSum sum) {
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

BlockSum SumBlock(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end,
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

BlockSum SumBlock(const WeightedLogits& tokens, Range inner, Range outer, int64_t first, int64_t end,
                  int32_t* between) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const hn::Half<Floats> dh;
  const hn::Repartition<double, Floats> dd;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto low = hn::Zero(dd);
  auto high = hn::Zero(dd);
  int64_t i = first;
  for (; i + lanes <= end; i += lanes) {
    const auto logits = hn::LoadU(d, tokens.logits + i);
    const auto x = hn::Mul(hn::Sub(logits, hn::Set(d, tokens.largest)), hn::Set(d, tokens.scale));
    const auto are_inner = AreIn(inner, x);
    // In double, the sum depends by its last bits alone on which tokens are added here.
    const auto weights = hn::IfThenElseZero(are_inner, hn::LoadU(d, tokens.weights + i));
    low = hn::Add(low, hn::PromoteTo(dd, hn::LowerHalf(dh, weights)));
    high = hn::Add(high, hn::PromoteTo(dd, hn::UpperHalf(dh, weights)));
    const auto are_between = hn::AndNot(are_inner, AreIn(outer, x));
    if (hn::AllFalse(d, are_between)) continue;
    between += hn::CompressStore(hn::Iota(di, static_cast<int32_t>(i)), hn::RebindMask(di, are_between), di, between);
  }
  return SumTokens(tokens, inner, outer, i, end, {hn::GetLane(hn::SumOfLanes(dd, hn::Add(low, high))), between});
}

#endif

}  // namespace

double SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between,
                int64_t* found) {
  double total = 0;
  int32_t* between_end = between;
  for (int64_t first = 0; first < tokens.count; first += kLogitBlock) {
    const int64_t block = first / kLogitBlock;
    blocks[block] = 0;
    if ((tokens.maxima[block] - tokens.largest) * tokens.scale < std::min(inner.least, outer.least)) continue;
    const int64_t end = std::min(tokens.count, first + kLogitBlock);
    const BlockSum sum = SumBlock(tokens, inner, outer, first, end, between_end);
    blocks[block] = sum.weight;
    total += sum.weight;
    between_end = sum.between_end;
  }
  *found = between_end - between;
  return total;
}

}  // namespace kuiper_infer::text::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::text {

KUIPER_SIMD_TABLE(SumRange);

double SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between,
                int64_t* found) {
  return KUIPER_SIMD(SumRange)(tokens, inner, outer, blocks, between, found);
}

}  // namespace kuiper_infer::text
#endif

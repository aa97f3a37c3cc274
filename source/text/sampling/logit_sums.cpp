// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "text/sampling/logit_sums.cpp"
#include "text/sampling/logit_sums.hpp"

#include <algorithm>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/vector_math.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::text::HWY_NAMESPACE {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLeast = -104.0F;  ///< exp of it is 0 in float

struct BlockSums {
  float weights = 0;
  float weighted = 0;
};

HWY_INLINE float SumOf(const float* numbers) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto sum = hn::LoadU(d, numbers);
  for (int64_t i = lanes; i < kLogitBlock; i += lanes) sum = hn::Add(sum, hn::LoadU(d, numbers + i));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

HWY_INLINE BlockSums SumBlock(const float* HWY_RESTRICT logits, float largest, float scale,
                              float* HWY_RESTRICT weights) {
  float weighted[kLogitBlock];
  for (int64_t i = 0; i < kLogitBlock; ++i) {
    float x = (logits[i] - largest) * scale;
    x = x < kLeast ? kLeast : x;  // the product of minus infinity and 0 is NaN
    weights[i] = kernel::Exp(x);
    weighted[i] = weights[i] * x;
  }
  return {SumOf(weights), SumOf(weighted)};
}

}  // namespace

bool BlockMaxima(int64_t count, const float* logits, float* maxima) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto infinity = hn::Set(d, kInfinity);
  bool right = true;
  for (int64_t first = 0; first < count; first += kLogitBlock) {
    const int64_t in_block = std::min(kLogitBlock, count - first);
    auto most = hn::Set(d, -kInfinity);
    auto below = hn::Eq(most, most);
    int64_t i = 0;
    for (; i + lanes <= in_block; i += lanes) {
      const auto values = hn::LoadU(d, logits + first + i);
      most = hn::Max(most, values);
      below = hn::And(below, hn::Lt(values, infinity));  // false for NaN
    }
    float largest = hn::GetLane(hn::MaxOfLanes(d, most));
    right = right && hn::AllTrue(d, below);
    for (; i < in_block; ++i) {
      largest = std::max(largest, logits[first + i]);
      right = right && logits[first + i] < kInfinity;
    }
    maxima[first / kLogitBlock] = largest;
  }
  return right;
}

ExpSums SumExps(int64_t count, const float* logits, float largest, float scale, double* blocks, float* weights) {
  ExpSums total;
  float unkept[kLogitBlock];
  for (int64_t block = 0; block * kLogitBlock < count; ++block) {
    const float* const first = logits + block * kLogitBlock;
    const int64_t in_block = std::min(kLogitBlock, count - block * kLogitBlock);
    BlockSums sums;
    if (in_block == kLogitBlock) {
      sums = SumBlock(first, largest, scale, weights == nullptr ? unkept : weights + block * kLogitBlock);
    } else {
      float whole[kLogitBlock];
      std::fill(std::copy(first, first + in_block, whole), whole + kLogitBlock, -kInfinity);
      sums = SumBlock(whole, largest, scale, unkept);
      if (weights != nullptr) std::copy(unkept, unkept + in_block, weights + block * kLogitBlock);
    }
    blocks[block] = static_cast<double>(sums.weights);
    total.weights += static_cast<double>(sums.weights);
    total.weighted += static_cast<double>(sums.weighted);
  }
  return total;
}

}  // namespace kuiper_infer::text::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::text {

KUIPER_SIMD_TABLE(BlockMaxima);
KUIPER_SIMD_TABLE(SumExps);

bool BlockMaxima(int64_t count, const float* logits, float* maxima) {
  return KUIPER_SIMD(BlockMaxima)(count, logits, maxima);
}

ExpSums SumExps(int64_t count, const float* logits, float largest, float scale, double* blocks, float* weights) {
  return KUIPER_SIMD(SumExps)(count, logits, largest, scale, blocks, weights);
}

}  // namespace kuiper_infer::text
#endif

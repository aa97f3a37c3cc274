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
      below = hn::And(below, hn::Lt(values, infinity));  // false for what is not a number
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
  for (int64_t first = 0; first < count; first += kLogitBlock) {
    const int64_t in_block = std::min(kLogitBlock, count - first);
    const float* const block = logits + first;
    float xs[kLogitBlock];
    float exps[kLogitBlock];
    for (int64_t i = 0; i < in_block; ++i) {
      const float x = (block[i] - largest) * scale;
      xs[i] = x < kLeast ? kLeast : x;  // the product of minus infinity and 0 is not a number
    }
    for (int64_t i = 0; i < in_block; ++i) exps[i] = kernel::Exp(xs[i]);
    if (weights != nullptr) std::copy(exps, exps + in_block, weights + first);
    float sum = 0;
    float weighted = 0;
#pragma omp simd reduction(+ : sum, weighted)
    for (int64_t i = 0; i < in_block; ++i) {
      sum += exps[i];
      weighted += exps[i] * xs[i];
    }
    blocks[first / kLogitBlock] = static_cast<double>(sum);
    total.weights += static_cast<double>(sum);
    total.weighted += static_cast<double>(weighted);
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

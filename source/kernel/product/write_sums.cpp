// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/write_sums.cpp"
#include "kernel/product/write_sums.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {

void WriteSums(const float* sums, int64_t stride, int64_t rows, const TileEpilogue& result) {
  const hn::ScalableTag<float> d;
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  const auto least = hn::Set(d, result.least);
  const auto most = hn::Set(d, result.most);
  for (int64_t j = 0; j < result.columns; j += kLanes) {
    const PartialVector part(std::min(kLanes, result.columns - j));
    for (int64_t r = 0; r < rows; ++r) {
      auto sum = part.Load(sums + r * stride + j);
      if (result.residual != nullptr) sum = hn::Add(sum, part.Load(result.residual + r * result.residual_ld + j));
      if (result.bias != nullptr) sum = hn::Add(sum, part.Load(result.bias + j));
      part.Store(Limited(sum, least, most), result.c + r * result.ldc + j);
    }
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(WriteSums);

void WriteSums(const float* sums, int64_t stride, int64_t rows, const TileEpilogue& result) {
  KUIPER_SIMD(WriteSums)(sums, stride, rows, result);
}

}  // namespace kuiper_infer::kernel
#endif

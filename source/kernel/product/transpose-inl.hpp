// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_TRANSPOSE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_TRANSPOSE_INL_HPP_
#undef KUIPER_KERNEL_TRANSPOSE_INL_HPP_
#else
#define KUIPER_KERNEL_TRANSPOSE_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Copies the transpose of 4x4 numbers: target[i * pitch + j] = source[j * ld + i].
HWY_INLINE void TransposeBlock(const float* source, int64_t ld, float* target, int64_t pitch) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j) target[i * pitch + j] = source[j * ld + i];
  }
#else
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<uint64_t, 2> pairs;  // of float lanes
  const auto row = [&](int64_t j) { return hn::LoadU(d, source + j * ld); };
  const auto v0 = row(0);
  const auto v1 = row(1);
  const auto v2 = row(2);
  const auto v3 = row(3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, target);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, target + pitch);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, target + 2 * pitch);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, target + 3 * pitch);
#endif
}

/// Copies the transpose of `rows` rows of `count` numbers, `ld` apart: number i of row j goes to target[i * pitch + j].
inline void CopyTransposed(int64_t rows, int64_t count, const float* source, int64_t ld, float* target, int64_t pitch) {
  constexpr int64_t kBlock = 4;
  constexpr int64_t kPiece = 16;  // numbers of a row: the cache lines that are written stay until they are full
  for (int64_t begin = 0; begin < count; begin += kPiece) {
    const int64_t end = begin + kPiece < count ? begin + kPiece : count;
    int64_t j = 0;
    for (; j + kBlock <= rows; j += kBlock) {
      int64_t i = begin;
      for (; i + kBlock <= end; i += kBlock) {
        TransposeBlock(source + j * ld + i, ld, target + i * pitch + j, pitch);
      }
      for (; i < end; ++i) {
        for (int64_t r = j; r < j + kBlock; ++r) target[i * pitch + r] = source[r * ld + i];
      }
    }
    for (; j < rows; ++j) {
      for (int64_t i = begin; i < end; ++i) target[i * pitch + j] = source[j * ld + i];
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_FLOAT_SUMS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_FLOAT_SUMS_INL_HPP_
#undef KUIPER_KERNEL_FLOAT_SUMS_INL_HPP_
#else
#define KUIPER_KERNEL_FLOAT_SUMS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/elementwise/tile_functions-inl.hpp"
#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/tile_epilogue.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A tile's sums in registers: rows of vectors of floats.

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));  // all targets here have vectors of one size

template <int kVectors>
HWY_INLINE void LoadRow(const float* from, const PartialVector& part, FloatVector (&row)[kVectors]) {
  const Floats d;
#pragma GCC unroll 4
  for (int v = 0; v + 1 < kVectors; ++v) row[v] = hn::LoadU(d, from + v * kLanes);
  row[kVectors - 1] = part.Load(from + (kVectors - 1) * kLanes);
}

template <int kRows, int kVectors>
HWY_INLINE void ClearSums(FloatVector (&sums)[kRows][kVectors]) {
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(Floats());
  }
}

/// Adds the residual and the bias to a tile's sums.
template <int kRows, int kVectors>
HWY_INLINE void CompleteSums(const TileEpilogue& result, const PartialVector& part,
                             FloatVector (&sums)[kRows][kVectors]) {
  FloatVector added[kVectors];
  if (result.residual != nullptr) {
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
      LoadRow<kVectors>(result.residual + r * result.residual_ld, part, added);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Add(sums[r][v], added[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) added[v] = hn::Zero(Floats());
  if (result.bias != nullptr) LoadRow<kVectors>(result.bias, part, added);
#pragma GCC unroll 32
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::Add(sums[r][v], added[v]);
  }
}

/// Adds what the result asks for to a tile's sums, and writes it. `result` is a copy, which no store may change.
/// Without `kFunctions` it has no function: a few hundred bytes less for each tile.
template <bool kFunctions = true, int kRows, int kVectors>
HWY_INLINE void StoreSums(TileEpilogue result, FloatVector (&sums)[kRows][kVectors]) {
  const Floats d;
  const PartialVector part(result.columns - (kVectors - 1) * kLanes);
  const FloatVector least = hn::Set(d, result.least);
  const FloatVector most = hn::Set(d, result.most);
  CompleteSums(result, part, sums);
  const auto write = [&](auto function) HWY_ATTR __attribute__((always_inline)) {
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) {
      float* c = result.c + r * result.ldc;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const FloatVector y = ResultOf<decltype(function)::value>(sums[r][v], least, most);
        if (v + 1 == kVectors && HWY_UNLIKELY(result.columns != kVectors * kLanes)) {
          part.Store(y, c + v * kLanes);
        } else {
          hn::StoreU(y, d, c + v * kLanes);
        }
      }
    }
  };
  if constexpr (kFunctions) {
    DispatchFloatTileFunction(result.function, write);
  } else {
    write(TileFunctionTag<TileFunction::kNone>());
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

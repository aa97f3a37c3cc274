// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_TILE_FUNCTIONS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_TILE_FUNCTIONS_INL_HPP_
#undef KUIPER_KERNEL_TILE_FUNCTIONS_INL_HPP_
#else
#define KUIPER_KERNEL_TILE_FUNCTIONS_INL_HPP_
#endif

#include <type_traits>

#include <hwy/highway.h>

#include "kernel/elementwise/activation.hpp"
#include "kernel/elementwise/byte_functions-inl.hpp"
#include "kernel/elementwise/vector_functions-inl.hpp"
#include "kernel/limits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Applies a TileFunction to a vector of results. kNone leaves results as they are.
template <TileFunction kFunction>
HWY_INLINE ActivationVector TileFunctionOf(const ActivationVector x) {
  if constexpr (kFunction == TileFunction::kGelu) return GeluForBytes(x);
  if constexpr (kFunction == TileFunction::kSilu) return SiluForBytes(x);
  if constexpr (kFunction == TileFunction::kHardswish) return HardswishOf(x);
  return x;
}

template <TileFunction kFunction>
using TileFunctionTag = std::integral_constant<TileFunction, kFunction>;

/// Calls body(tag) with the tag of a function that is applied before results become bytes.
template <class Body>
void DispatchByteTileFunction(TileFunction function, const Body& body) {
  switch (function) {
    case TileFunction::kNone:
      return body(TileFunctionTag<TileFunction::kNone>());
    case TileFunction::kGelu:
      return body(TileFunctionTag<TileFunction::kGelu>());
    case TileFunction::kSilu:
      return body(TileFunctionTag<TileFunction::kSilu>());
    case TileFunction::kHardswish:
      return body(TileFunctionTag<TileFunction::kHardswish>());
  }
}

/// Calls body(tag) with the tag of kNone or of a function that is applied to float32 results (AppliesToFloats).
template <class Body>
HWY_INLINE void DispatchFloatTileFunction(TileFunction function, const Body& body) {
  HWY_UNLIKELY(function == TileFunction::kHardswish) ? body(TileFunctionTag<TileFunction::kHardswish>())
                                                     : body(TileFunctionTag<TileFunction::kNone>());
}

/// The result of a sum: the sum limited to the bounds or, if there is a function, the function's value.
template <TileFunction kFunction>
HWY_INLINE ActivationVector ResultOf(const ActivationVector sum, const ActivationVector least,
                                     const ActivationVector most) {
  return kFunction == TileFunction::kNone ? Limited(sum, least, most) : TileFunctionOf<kFunction>(sum);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

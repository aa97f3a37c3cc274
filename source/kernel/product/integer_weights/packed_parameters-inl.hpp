// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PACKED_PARAMETERS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PACKED_PARAMETERS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PACKED_PARAMETERS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_PACKED_PARAMETERS_INL_HPP_
#endif

#include <cstddef>
#include <cstdint>

#include "kernel/product/float32/tile-inl.hpp"
#include "kernel/product/product.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Whether this instruction set makes floats of halves in one operation.
constexpr bool kReadsHalves = (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64;

/// The most parameters of a panel in half precision: tiles of several rows read floats made of them, in memory of that
/// size on the stack.
constexpr int64_t kMostHalves = int64_t{32} << 10;

/// The most groups whose parameters may be halves.
template <class Row>
constexpr int64_t kHalfGroups = kReadsHalves ? kMostHalves / (kPanelColumns * Row::kParameters) : 0;

/// Parameters of groups in the order in which tiles read them: float32 or, if kReadsHalves, float16. Products of few
/// rows take the time of reading the weight, and each group of 32 integers has one or two parameters.
class PackedParameters {
 public:
  PackedParameters(const PackedFactor& weight, int64_t first)
      : from_(static_cast<const std::byte*>(weight.parameters)),
        bytes_(kReadsHalves && weight.parameter_type == RuntimeDataType::kTypeFloat16 ? 2 : 4) {
    Skip(first);
  }

  HWY_INLINE bool in_halves() const { return kReadsHalves && bytes_ == 2; }
  HWY_INLINE void Skip(int64_t count) { from_ += count * bytes_; }

  /// The vector of parameters from the i-th on. `kHalves` is what in_halves() says: tiles ask it once for several
  /// vectors and, if their sums fill the registers, before they have sums, which GCC 12 would store otherwise.
  template <bool kHalves>
  HWY_INLINE FloatVector At(int64_t i) const {
    if constexpr (kHalves && kReadsHalves) {
      const hn::Rebind<hwy::float16_t, Floats> halves;
      return hn::PromoteTo(Floats(), hn::LoadU(halves, reinterpret_cast<const hwy::float16_t*>(from_) + i));
    } else {
      return hn::LoadU(Floats(), reinterpret_cast<const float*>(from_) + i);
    }
  }

  /// Returns the first kVectors vectors as floats: where they lie, or in `converted`. `kHalves` as for At.
  template <bool kHalves, int kVectors>
  HWY_INLINE const float* InFloats(float* converted) const {
    if constexpr (kHalves) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) hn::Store(At<true>(v * kLanes), Floats(), converted + v * kLanes);
      return converted;
    } else {
      return reinterpret_cast<const float*>(from_);
    }
  }

  /// Makes floats of the first `count` parameters, whole vectors, which are read from `converted` then.
  void Convert(int64_t count, float* converted) {
    for (int64_t i = 0; i < count; i += kLanes) hn::Store(At<true>(i), Floats(), converted + i);
    from_ = reinterpret_cast<const std::byte*>(converted);
    bytes_ = sizeof(float);
  }

 private:
  const std::byte* from_;
  int64_t bytes_;  ///< of a parameter
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

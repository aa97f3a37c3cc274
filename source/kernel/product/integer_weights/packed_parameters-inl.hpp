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

#include "kernel/product/float32/sums-inl.hpp"
#include "kernel/product/product.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Whether this instruction set makes floats of halves in one operation.
constexpr bool kReadsHalves = (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64;

/// Parameters of groups in the order in which tiles read them: float32 or, if kReadsHalves, float16. Steps of few rows
/// take the time of reading the weight, and each group of 32 integers has one or two parameters.
class PackedParameters {
 public:
  PackedParameters(const PackedFactor& weight, int64_t first)
      : from_(static_cast<const std::byte*>(weight.parameters)),
        bytes_(kReadsHalves && weight.parameter_type == RuntimeDataType::kTypeFloat16 ? 2 : 4) {
    Skip(first);
  }

  HWY_INLINE void Skip(int64_t count) { from_ += count * bytes_; }

  HWY_INLINE FloatVector At(int64_t i) const {
    if constexpr (kReadsHalves) {
      using Halves = hn::Rebind<hwy::float16_t, Floats>;
      if (bytes_ == 2) {
        return hn::PromoteTo(Floats(), hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(from_) + i));
      }
    }
    return hn::LoadU(Floats(), reinterpret_cast<const float*>(from_) + i);
  }

 private:
  const std::byte* from_;
  int64_t bytes_;  ///< of a parameter
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

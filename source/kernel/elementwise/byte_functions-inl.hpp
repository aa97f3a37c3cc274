// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_BYTE_FUNCTIONS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_BYTE_FUNCTIONS_INL_HPP_
#undef KUIPER_KERNEL_BYTE_FUNCTIONS_INL_HPP_
#else
#define KUIPER_KERNEL_BYTE_FUNCTIONS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/elementwise/vector_functions-inl.hpp"
#include "kernel/limits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Activations whose results are at once rounded to bytes. They are only as exact as that needs, and take half the time
// of the functions in vector_functions-inl.hpp. They consist of operations that every CPU rounds in the same way, and
// the compiler fuses none of them, so that all instruction sets with fused multiply-adds give the same bits.
// vector_functions_test checks the bounds of errors.

/// x Phi(x), with errors up to 1.4e-4, and from -1 to 1 up to 1.4e-4 of the value. Phi(x) - 1/2 is x P(x^2) with a
/// minimax polynomial P for |x| up to 4. At 4 it is exactly 1/2, so the result is x from 4 on, and zero below -4. The
/// terms of P are added in pairs, which shortens the chain of dependent operations.
HWY_INLINE ActivationVector GeluForBytes(const ActivationVector x) {
  const ActivationTag d;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const ActivationVector near = Limited(x, constant(-4.0F), constant(4.0F));
  const ActivationVector z = hn::Mul(near, near);
  const ActivationVector z2 = hn::Mul(z, z);
  const ActivationVector p67 = hn::MulAdd(constant(-1.480670031e-9F), z, constant(1.159124352e-7F));
  const ActivationVector p45 = hn::MulAdd(constant(-3.963664767e-6F), z, constant(7.896051829e-5F));
  const ActivationVector p23 = hn::MulAdd(constant(-1.036302652e-3F), z, constant(9.619413875e-3F));
  const ActivationVector p01 = hn::MulAdd(constant(-6.608982384e-2F), z, constant(3.987865150e-1F));
  ActivationVector p = hn::MulAdd(p67, z2, p45);
  p = hn::MulAdd(p, z2, p23);
  p = hn::MulAdd(p, z2, p01);
  return hn::Mul(x, hn::MulAdd(p, near, constant(0.5F)));
}

/// x / (1 + e^-x), with errors up to 3e-5 and up to 1.1e-4 of the value. The method is that of SiluOf, with fewer
/// terms. The division is fast on CPUs that compute with vectors of bytes.
HWY_INLINE ActivationVector SiluForBytes(const ActivationVector x) {
  const ActivationTag d;
  const hn::RebindToUnsigned<ActivationTag> du;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const ActivationVector large = constant(kLargeForExponents);
  const ActivationVector log2e = constant(1.44269504F);
  const ActivationVector limited = Limited(x, constant(-87.0F), constant(87.0F));
  const ActivationVector shifted = hn::NegMulAdd(limited, log2e, large);
  const ActivationVector f = hn::NegMulAdd(limited, log2e, hn::Sub(large, shifted));
  ActivationVector p = constant(5.500893193e-2F);
  p = hn::MulAdd(p, f, constant(2.422109595e-1F));
  p = hn::MulAdd(p, f, constant(6.932829269e-1F));
  p = hn::MulAdd(p, f, constant(1.0F));
  const ActivationVector power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, shifted)));
  return hn::Div(x, hn::MulAdd(p, power, constant(1.0F)));
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

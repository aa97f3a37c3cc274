// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_VECTOR_FUNCTIONS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_VECTOR_FUNCTIONS_INL_HPP_
#undef KUIPER_KERNEL_VECTOR_FUNCTIONS_INL_HPP_
#else
#define KUIPER_KERNEL_VECTOR_FUNCTIONS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The activations of most convolutions and linear layers, on float vectors. A division takes no longer than an estimate
// and its correction would, since other operations run in parallel. NaN stays NaN. vector_functions_test checks the
// bounds of errors.

using ActivationTag = hn::ScalableTag<float>;
using ActivationVector = hn::Vec<ActivationTag>;

/// e^x within 1 ULP, or 1.5 ULP without fused multiply-adds, with x limited to [-87, 88]. It is computed as 2^n e^r
/// with |r| <= log(2) / 2. The addition of a large number rounds to n and leaves n + 127, the exponent's bits, in the
/// lowest bits.
HWY_INLINE ActivationVector ExpOf(ActivationVector x) {
  const ActivationTag d;
  const hn::RebindToUnsigned<ActivationTag> du;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const ActivationVector large = constant(12582912.0F + 127.0F);  // 1.5 * 2^23: a unit is one there
  x = Limited(x, constant(-87.0F), constant(88.0F));
  const ActivationVector shifted = hn::MulAdd(x, constant(1.44269504F), large);
  const ActivationVector n = hn::Sub(shifted, large);
  ActivationVector r = hn::NegMulAdd(n, constant(0.693359375F), x);
  r = hn::NegMulAdd(n, constant(-2.12194440e-4F), r);
  ActivationVector p = constant(1.39505064e-3F);  // (e^r - 1 - r) / r^2, fitted by least squares
  p = hn::MulAdd(p, r, constant(8.36889629e-3F));
  p = hn::MulAdd(p, r, constant(4.16662056e-2F));
  p = hn::MulAdd(p, r, constant(1.66665188e-1F));
  p = hn::MulAdd(p, r, constant(0.5F));
  p = hn::MulAdd(p, r, constant(1.0F));
  p = hn::MulAdd(p, r, constant(1.0F));
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, shifted))));
}

/// 1.5 * 2^23 + 127: added to y, it rounds y to n and leaves n + 127, the exponent's bits, in the lowest bits.
constexpr float kLargeForExponents = 12582912.0F + 127.0F;

/// 2^(n + f) for |f| <= 1/2; `shifted` is n + kLargeForExponents. 2^f is a minimax polynomial, which is exactly 1 at 0.
HWY_INLINE ActivationVector PowerOfTwo(const ActivationVector shifted, const ActivationVector f) {
  const ActivationTag d;
  const hn::RebindToUnsigned<ActivationTag> du;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  ActivationVector p = constant(1.32647e-3F);
  p = hn::MulAdd(p, f, constant(9.67151e-3F));
  p = hn::MulAdd(p, f, constant(5.550734e-2F));
  p = hn::MulAdd(p, f, constant(2.4022242e-1F));
  p = hn::MulAdd(p, f, constant(6.9314698e-1F));
  p = hn::MulAdd(p, f, constant(1.0F));
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, shifted))));
}

/// 1 + e^-x with x limited to [-87, 87]. e^-x is computed as 2^n 2^f with |f| <= 1/2, in fewer instructions than by
/// ExpOf. Without fused multiply-adds f loses digits where |x| is large.
HWY_INLINE ActivationVector OnePlusExpOfMinus(ActivationVector x) {
  const ActivationTag d;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const ActivationVector large = constant(kLargeForExponents);
  const ActivationVector log2e = constant(1.44269504F);
  x = Limited(x, constant(-87.0F), constant(87.0F));
  const ActivationVector shifted = hn::NegMulAdd(x, log2e, large);
  ActivationVector f = hn::NegMulAdd(x, log2e, hn::Sub(large, shifted));
  f = hn::NegMulAdd(x, constant(1.92596299e-8F), f);  // log2 e in two parts
  return hn::Add(PowerOfTwo(shifted, f), constant(1.0F));
}

/// 1 / (1 + e^-x) within 5 ULP, with x limited to [-87, 87]. Without fused multiply-adds the error is up to 8 ULP for x
/// from -4 on, and up to 64 ULP for x below -4.
HWY_INLINE ActivationVector SigmoidOf(const ActivationVector x) {
  return hn::Div(hn::Set(ActivationTag(), 1.0F), OnePlusExpOfMinus(x));
}

/// x / (1 + e^-x) within 6 ULP (64 without fused multiply-adds) from -87 on, and within |x| 2e-38 below -87.
HWY_INLINE ActivationVector SiluOf(const ActivationVector x) { return hn::Div(x, OnePlusExpOfMinus(x)); }

/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) within 6 ULP or 3e-7, and |x| 2e-38 far below zero: tanh by e^x.
HWY_INLINE ActivationVector GeluTanhOf(const ActivationVector x) {
  const ActivationTag d;
  const ActivationVector scale =
      hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.071354816F), hn::Set(d, 1.59576912F));  // 2 sqrt(2 / pi) of both terms
  return hn::Div(x, OnePlusExpOfMinus(hn::Mul(x, scale)));
}

/// min(max(x + 3, 0), 6) / 6.
HWY_INLINE ActivationVector HardsigmoidOf(const ActivationVector x) {
  const ActivationTag d;
  const ActivationVector shifted = hn::Add(x, hn::Set(d, 3.0F));
  return hn::Mul(Limited(shifted, hn::Zero(d), hn::Set(d, 6.0F)), hn::Set(d, 1.0F / 6.0F));
}

/// x min(max(x + 3, 0), 6) / 6 but for the rounding of four operations, and x itself from 3 on.
HWY_INLINE ActivationVector HardswishOf(const ActivationVector x) { return hn::Mul(x, HardsigmoidOf(x)); }

/// x tanh(log(1 + e^x)) within 6 ULP from -87 on, and within |x| 2e-38 below -87. It is computed as x n / (n + 2) with
/// n = e^x (e^x + 2); in float, n / (n + 2) is 1 from x = 20 on.
HWY_INLINE ActivationVector MishOf(const ActivationVector x) {
  const ActivationVector two = hn::Set(ActivationTag(), 2.0F);
  const ActivationVector power = ExpOf(AtMost(hn::Set(ActivationTag(), 20.0F), x));
  const ActivationVector n = hn::Mul(power, hn::Add(power, two));
  return hn::Mul(x, hn::Div(n, hn::Add(n, two)));
}

/// x Phi(x) within 4 ULP or 3e-7: max(x, 0) - |x| Phi(-|x|), whose second part is 2.6e-10 from 6.5 on. log2 Phi(-t) is
/// a polynomial, fitted such that the largest error of the result is least.
HWY_INLINE ActivationVector GeluOf(const ActivationVector x) {
  const ActivationTag d;
  const auto constant = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const ActivationVector t = AtMost(constant(6.5F), hn::Abs(x));
  ActivationVector q = constant(3.106988839e-5F);
  q = hn::MulAdd(q, t, constant(-7.416055990e-4F));
  q = hn::MulAdd(q, t, constant(7.958432642e-3F));
  q = hn::MulAdd(q, t, constant(-5.317639859e-2F));
  q = hn::MulAdd(q, t, constant(-4.589777071e-1F));
  q = hn::MulAdd(q, t, constant(-1.151127877F));
  q = hn::MulAdd(q, t, constant(-1.0F));
  const ActivationVector large = constant(kLargeForExponents);
  const ActivationVector shifted = hn::Add(q, large);
  const ActivationVector tail = PowerOfTwo(shifted, hn::Sub(q, hn::Sub(shifted, large)));
  return hn::NegMulAdd(t, tail, hn::Max(hn::Zero(d), x));
}

/// The number of vectors whose operations are interleaved, so that none waits for the result of the one before. AVX-512
/// has enough registers for more than one.
constexpr int kVectorsInTurn = HWY_TARGET <= HWY_AVX3 ? 4 : 1;

/// y = function(x) for blocks of floats; y may be x.
template <ActivationVector (*kFunction)(ActivationVector)>
HWY_INLINE void VectorBlock(const float* x, float* y, int64_t count, const double* /*p*/) {
  const ActivationTag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + kVectorsInTurn * lanes <= count; i += kVectorsInTurn * lanes) {
    ActivationVector results[kVectorsInTurn];
#pragma GCC unroll 4
    for (int v = 0; v < kVectorsInTurn; ++v) results[v] = kFunction(hn::LoadU(d, x + i + v * lanes));
#pragma GCC unroll 4
    for (int v = 0; v < kVectorsInTurn; ++v) hn::StoreU(results[v], d, y + i + v * lanes);
  }
  for (; i + lanes <= count; i += lanes) hn::StoreU(kFunction(hn::LoadU(d, x + i)), d, y + i);
  if (i == count) return;
  const PartialVector part(count - i);
  part.Store(kFunction(part.Load(x + i)), y + i);
}

/// x = function(x) for rows of floats, `pitch` apart. The function's constants stay in registers from row to row. Rows
/// without gaps are treated as one row.
template <ActivationVector (*kFunction)(ActivationVector)>
void VectorRows(float* x, int64_t rows, int64_t count, int64_t pitch) {
  if (pitch == count) {
    count *= rows;
    rows = 1;
  }
  for (int64_t row = 0; row < rows; ++row) VectorBlock<kFunction>(x + row * pitch, x + row * pitch, count, nullptr);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

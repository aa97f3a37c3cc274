// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#endif

#include <cstdint>

#include "kernel/product/float32/sums-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Bytes of a panel's row. Of 4 bits, two vectors lie in the low and high halves of the same bytes.
constexpr int64_t RowBytes(int bits, int64_t vectors) { return (bits == 8 ? vectors : DivideUp(vectors, 2)) * kLanes; }

using IntegerVector = hn::Vec<hn::Rebind<int32_t, Floats>>;

/// As many bytes as a vector has lanes, each in a lane of its own with its sign.
HWY_INLINE IntegerVector BytesAt(const uint8_t* row, int64_t vector) {
  const hn::Rebind<int8_t, Floats> bytes;
  const hn::Rebind<int32_t, Floats> words;
  return hn::PromoteTo(words, hn::LoadU(bytes, reinterpret_cast<const int8_t*>(row) + vector * kLanes));
}

// How the tiles read a format: a Row has
//   kBits, kParameters            bits of an integer, and parameters of a group, as in its WeightFormat
//   IntegerOf(packed)             the integer that kBits bits of a panel stand for
//   Integers(row, v)              vector v of a panel's row, as floats
//   Number(integers, parameters)  the numbers that integers stand for; parameters[i] is a vector of the i-th ones

/// Integers of 8 bits with a scale.
struct Int8Row {
  static constexpr int kBits = 8;
  static constexpr int kParameters = 1;
  static int IntegerOf(int packed) { return static_cast<int8_t>(packed); }
  static HWY_INLINE FloatVector Integers(const uint8_t* row, int v) { return hn::ConvertTo(Floats(), BytesAt(row, v)); }
  static HWY_INLINE FloatVector Number(FloatVector integers, const FloatVector* parameters) {
    return hn::Mul(integers, parameters[0]);
  }
};

/// Integers of 4 bits, -8 to 7, with a scale.
struct Int4Row {
  static constexpr int kBits = 4;
  static constexpr int kParameters = 1;
  static int IntegerOf(int packed) { return (packed ^ 8) - 8; }
  static HWY_INLINE FloatVector Integers(const uint8_t* row, int v) {
    const IntegerVector both = BytesAt(row, v / 2);
    return hn::ConvertTo(Floats(), v % 2 == 0 ? hn::ShiftRight<28>(hn::ShiftLeft<28>(both)) : hn::ShiftRight<4>(both));
  }
  static HWY_INLINE FloatVector Number(FloatVector integers, const FloatVector* parameters) {
    return hn::Mul(integers, parameters[0]);
  }
};

/// Integers of 4 bits, 0 to 15, with a scale and a minimum.
struct Int4AsymmetricRow {
  static constexpr int kBits = 4;
  static constexpr int kParameters = 2;
  static int IntegerOf(int packed) { return packed; }
  static HWY_INLINE FloatVector Integers(const uint8_t* row, int v) {
    const IntegerVector low = hn::Set(hn::Rebind<int32_t, Floats>(), 15);
    const IntegerVector both = BytesAt(row, v / 2);
    return hn::ConvertTo(Floats(), hn::And(v % 2 == 0 ? both : hn::ShiftRight<4>(both), low));
  }
  static HWY_INLINE FloatVector Number(FloatVector integers, const FloatVector* parameters) {
    return hn::MulAdd(integers, parameters[0], parameters[1]);
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INTEGER_WEIGHTS_ROWS_INL_HPP_
#endif

#include <cstdint>
#include <cstring>

#include "kernel/fused_multiply_add-inl.hpp"
#include "kernel/product/float32/sums-inl.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Words of 32 bits hold integers of a column that follow each other along the depth: four of 8 bits, or eight of 4
/// bits. Each is stored as its distance from the least integer of its format, so that it has no sign.
using Words = hn::Rebind<uint32_t, Floats>;
using WordVector = hn::Vec<Words>;

/// Bytes of a vector of words.
constexpr int64_t kWordBytes = kLanes * 4;

HWY_INLINE WordVector WordsAt(const uint8_t* from) {
  return hn::LoadU(Words(), reinterpret_cast<const uint32_t*>(from));
}

// How the tiles read a format: a Row has
//   kBits               bits of an integer
//   kDepth              integers of a word
//   Shift(k)            the bit of a word at which integer k begins
//   WordOf(distances)   the word of kDepth integers without signs
//   Numbers<k>(words)   integers k of words, without signs, as floats
//   Quads<i>(words)     integers 4 i to 4 i + 3 of words, without signs, as bytes
// of an Unsigned row, which formats with the same words share, and
//   kParameters         parameters of a group, as in its WeightFormat
//   kLeast              the least integer

/// Integers of 8 bits.
struct ByteRow {
  static constexpr int kBits = 8;
  static constexpr int kDepth = 4;
  static constexpr int Shift(int k) { return 8 * k; }
  static uint32_t WordOf(const uint8_t* distances) {
    uint32_t word = 0;
    std::memcpy(&word, distances, sizeof(word));
    return word;
  }

  template <int k>
  static HWY_INLINE FloatVector Numbers(WordVector words) {
    const hn::Rebind<int32_t, Floats> integers;
    return hn::ConvertTo(Floats(), hn::BitCast(integers, Byte<k>(words)));
  }
  template <int /*i*/>
  static HWY_INLINE WordVector Quads(WordVector words) {
    return words;
  }

 private:
  template <int k>
  static HWY_INLINE WordVector Byte(WordVector words) {
    if constexpr (k == 3) return hn::ShiftRight<24>(words);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    // One operation instead of two, and not for the only port that shifts.
    if constexpr (k == 1 || k == 2) {
      const hn::Repartition<uint8_t, Words> bytes;
      alignas(16) static constexpr uint8_t kPlaces[16] = {k,     128, 128, 128, 4 + k,  128, 128, 128,
                                                          8 + k, 128, 128, 128, 12 + k, 128, 128, 128};
      return hn::BitCast(Words(), hn::TableLookupBytesOr0(hn::BitCast(bytes, words), hn::LoadDup128(bytes, kPlaces)));
    }
#endif
    return hn::And(k == 0 ? words : hn::ShiftRight<8 * k>(words), hn::Set(Words(), 255));
  }
};

/// Integers of 4 bits: numbers 0 to 3 of a word are the low halves of its bytes, numbers 4 to 7 the high halves.
struct NibbleRow {
  static constexpr int kBits = 4;
  static constexpr int kDepth = 8;
  static constexpr int Shift(int k) { return k < 4 ? 8 * k : 8 * (k - 4) + 4; }
  static uint32_t WordOf(const uint8_t* distances) {
    return ByteRow::WordOf(distances) | ByteRow::WordOf(distances + 4) << 4;
  }

  template <int k>
  static HWY_INLINE FloatVector Numbers(WordVector words) {
    const WordVector shifted = Shift(k) == 0 ? words : hn::ShiftRight<Shift(k)>(words);
#if HWY_TARGET <= HWY_AVX3
    // A look-up in 16 numbers reads the low four bits of each place only.
    const auto places = hn::BitCast(hn::Rebind<int32_t, Floats>(), shifted);
    return hn::TableLookupLanes(hn::Iota(Floats(), 0), hn::Indices512<float>{places.raw});
#else
    const hn::Rebind<int32_t, Floats> integers;
    return hn::ConvertTo(Floats(), hn::BitCast(integers, hn::And(shifted, hn::Set(Words(), 15))));
#endif
  }
  template <int i>
  static HWY_INLINE WordVector Quads(WordVector words) {
    return hn::And(i == 0 ? words : hn::ShiftRight<4>(words), hn::Set(Words(), 0x0F0F0F0F));
  }
};

/// Integers of a format.
template <class UnsignedRow, int kLeastInteger, int kParameterCount>
struct FormatRow : UnsignedRow {
  using Unsigned = UnsignedRow;
  static constexpr int kParameters = kParameterCount;
  static constexpr int kLeast = kLeastInteger;
};

/// Integers of 8 bits with a scale.
using Int8Row = FormatRow<ByteRow, -128, 1>;
/// Integers of 8 bits, 0 to 255, with a scale and a minimum.
using Int8AsymmetricRow = FormatRow<ByteRow, 0, 2>;
/// Integers of 4 bits, -8 to 7, with a scale.
using Int4Row = FormatRow<NibbleRow, -8, 1>;
/// Integers of 4 bits, 0 to 15, with a scale and a minimum.
using Int4AsymmetricRow = FormatRow<NibbleRow, 0, 2>;

/// The parameters of a group of some columns.
struct ColumnParameters {
  HWY_INLINE ColumnParameters() {}  // NOLINT: a defaulted one would not be compiled for the instruction set
  FloatVector scale;
  FloatVector minimum;  ///< the number for which the least integer stands

  /// The numbers for which integers without signs stand, each rounded once. The least integer is zero or a power of
  /// two, so that the minimum is exact, and the result the same as that of integers with signs times the scale.
  HWY_INLINE FloatVector NumbersOf(FloatVector integers) const { return FusedMultiplyAdd(integers, scale, minimum); }
};

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

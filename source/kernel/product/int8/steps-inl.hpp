// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_PRODUCT_INT8_STEPS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_PRODUCT_INT8_STEPS_INL_HPP_
#undef KUIPER_KERNEL_PRODUCT_INT8_STEPS_INL_HPP_
#else
#define KUIPER_KERNEL_PRODUCT_INT8_STEPS_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "kernel/product/int8/panels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// What rounding the rows and the columns of a computed factor (computed_factor.hpp), rows in blocks
/// (integer_weights/rounded_rows.hpp), and rows of keys and values (attention/int8_rows.hpp) share.

using Floats = hn::ScalableTag<float>;
using Words = hn::Rebind<int32_t, Floats>;
using Bytes = hn::Rebind<uint8_t, Floats>;
using FloatVector = hn::Vec<Floats>;
using WordVector = hn::Vec<Words>;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));
static_assert(kInt8Lanes % kLanes == 0);

constexpr float kMost = 127;
/// Numbers below are taken for zeros, so that kMost divided by them stays finite.
constexpr float kLeastMagnitude = 1e-30F;
constexpr int32_t kMagnitudeBits = 0x7fffffff;

/// Calls body(offset, part) for the vectors of `count` numbers, the last one perhaps in part.
template <class Body>
HWY_INLINE void ForEachPart(int64_t count, const Body& body) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) body(i, WholeLanes<Floats>());
  if (i < count) body(i, PartialVector(count - i));
}

/// The magnitudes' bits, which as integers have the magnitudes' order: infinity above all numbers, NaN above that.
HWY_INLINE WordVector Magnitude(const FloatVector x) {
  return hn::And(hn::BitCast(Words(), x), hn::Set(Words(), kMagnitudeBits));
}

/// The scale of numbers of at most that magnitude, and what makes steps of them; zero where they are no numbers.
struct Steps {
  explicit Steps(float largest) {
    if (!(largest <= std::numeric_limits<float>::max())) {
      scale = std::numeric_limits<float>::quiet_NaN();
    } else if (largest >= kLeastMagnitude) {
      scale = largest / kMost;
      inverse = kMost / largest;
    }
  }
  float scale = 1;
  float inverse = 0;
};

/// The largest magnitudes of each lane, as bits.
HWY_INLINE WordVector LargestMagnitudes(int64_t count, const float* x) {
  WordVector most = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR { most = hn::Max(most, Magnitude(part.Load(x + i))); });
  return most;
}

/// The largest of the numbers' magnitudes, as bits: infinity exceeds all numbers, NaN exceeds infinity.
inline int32_t LargestMagnitude(int64_t count, const float* x) {
  return hn::GetLane(hn::MaxOfLanes(Words(), LargestMagnitudes(count, x)));
}

/// The steps for numbers of at most the magnitude that LargestMagnitude returns.
inline Steps StepsOf(int32_t magnitude) {
  float largest = 0;
  std::memcpy(&largest, &magnitude, sizeof(largest));
  return Steps(largest);
}

/// The steps for these numbers.
inline Steps StepsOf(int64_t count, const float* x) { return StepsOf(LargestMagnitude(count, x)); }

/// The integers next to x * inverse; zero where the inverse is zero.
HWY_INLINE WordVector Rounded(const FloatVector x, const FloatVector inverse) {
  // The sum has no place for fractions: its bits are those of the constant and the integer added.
  const FloatVector bare = hn::Set(Floats(), 12582912.0F);  // 3 * 2^22
  const FloatVector number = hn::IfThenElseZero(hn::Gt(inverse, hn::Zero(Floats())), x);
  return hn::Sub(hn::BitCast(Words(), hn::Add(hn::Mul(number, inverse), bare)), hn::BitCast(Words(), bare));
}

HWY_INLINE hn::Vec<Bytes> LowBytes(const WordVector words) {
  return hn::TruncateTo(Bytes(), hn::BitCast(hn::RebindToUnsigned<Words>(), words));
}

HWY_INLINE void StoreBytes(const WholeLanes<Floats>& /*part*/, int64_t /*count*/, hn::Vec<Bytes> bytes, uint8_t* to) {
  hn::StoreU(bytes, Bytes(), to);
}

HWY_INLINE void StoreBytes(const PartialVector& /*part*/, int64_t count, hn::Vec<Bytes> bytes, uint8_t* to) {
  uint8_t lanes[kLanes];
  hn::StoreU(bytes, Bytes(), lanes);
  std::copy_n(lanes, count, to);
}

/// Rounds numbers to the integers next to x * inverse_scale. Returns the sums of each lane's integers.
HWY_INLINE WordVector RoundNumbers(float inverse_scale, int64_t count, const float* x, int8_t* integers) {
  const FloatVector inverse = hn::Set(Floats(), inverse_scale);
  WordVector sum = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR {
    const WordVector words = Rounded(part.Load(x + i), inverse);
    sum = hn::Add(sum, words);
    StoreBytes(part, count - i, LowBytes(words), reinterpret_cast<uint8_t*>(integers) + i);
  });
  return sum;
}

/// Rounds numbers as RoundNumbers does. Returns the sum of the integers.
inline int32_t RoundBlock(float inverse_scale, int64_t count, const float* x, int8_t* integers) {
  return hn::GetLane(hn::SumOfLanes(Words(), RoundNumbers(inverse_scale, count, x, integers)));
}

/// Writes the end of a panel: its columns' sums, and pairs of a size that no kernel takes for narrow.
inline void EndPanel(int64_t width, const int32_t* sums, int8_t* end) {
  int32_t pairs[kInt8Columns];
  std::fill_n(pairs, width, 2 * static_cast<int32_t>(kMost));
  const std::size_t bytes = static_cast<std::size_t>(width) * sizeof(int32_t);
  std::memcpy(end, sums, bytes);
  std::memcpy(end + bytes, pairs, bytes);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

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

/// What rounding the rows and the columns of a computed factor (computed_factor.hpp), and rows in blocks
/// (integer_weights/rounded_rows.hpp), share.

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

/// The steps for these numbers.
inline Steps StepsOf(int64_t count, const float* x) {
  WordVector most = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR { most = hn::Max(most, Magnitude(part.Load(x + i))); });
  float largest = 0;
  const int32_t bits = hn::GetLane(hn::MaxOfLanes(Words(), most));
  std::memcpy(&largest, &bits, sizeof(largest));
  return Steps(largest);
}

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

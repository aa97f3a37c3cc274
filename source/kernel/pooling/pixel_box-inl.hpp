// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_POOLING_PIXEL_BOX_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_POOLING_PIXEL_BOX_INL_HPP_
#undef KUIPER_KERNEL_POOLING_PIXEL_BOX_INL_HPP_
#else
#define KUIPER_KERNEL_POOLING_PIXEL_BOX_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The number of vectors of channels that are combined side by side.
constexpr int kVectors = 4;

/// Pixels of elements T that come to one.
template <class T>
struct PixelBox {
  const T* image;
  int64_t pixel;  ///< strides between pixels, rows and planes of the box, in elements
  int64_t row;
  int64_t plane;
  int64_t width;  ///< extents in pixels
  int64_t height;
  int64_t depth;
  float factor;  ///< of a sum
};

// What pixels come to.

struct ScaledSum {
  using Tag = hn::ScalableTag<float>;
  using Vector = hn::Vec<Tag>;
  using Part = PartialVector;
  static HWY_INLINE Vector Start() { return hn::Zero(Tag()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Add(a, b); }
  static HWY_INLINE Vector Finish(const Vector total, float factor) { return hn::Mul(total, hn::Set(Tag(), factor)); }
};

/// NaN wins.
struct LargestFloat {
  using Tag = hn::ScalableTag<float>;
  using Vector = hn::Vec<Tag>;
  using Part = PartialVector;
  static HWY_INLINE Vector Start() { return hn::Set(Tag(), -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
  static HWY_INLINE Vector Finish(const Vector total, float /*factor*/) { return total; }
};

struct LargestByte {
  using Tag = hn::ScalableTag<uint8_t>;
  using Vector = hn::Vec<Tag>;
  using Part = PartialLanes<Tag>;
  static HWY_INLINE Vector Start() { return hn::Zero(Tag()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Max(a, b); }
  static HWY_INLINE Vector Finish(const Vector total, float /*factor*/) { return total; }
};

/// Combines kCount vectors of channels, the last one in part.
template <class Rule, int kCount, class T>
HWY_INLINE void CombineChannels(const PixelBox<T>& box, int64_t channel, int64_t last, T* output) {
  using Vector = typename Rule::Vector;
  const typename Rule::Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const typename Rule::Part part(last - channel - (kCount - 1) * lanes);
  Vector total[kCount];
#pragma GCC unroll 4
  for (int v = 0; v < kCount; ++v) total[v] = Rule::Start();
  for (int64_t z = 0; z < box.depth; ++z) {
    for (int64_t y = 0; y < box.height; ++y) {
      const T* pixel = box.image + z * box.plane + y * box.row + channel;
      Vector row[kCount];  // sums of sums round less
#pragma GCC unroll 4
      for (int v = 0; v < kCount; ++v) row[v] = Rule::Start();
      for (int64_t x = 0; x < box.width; ++x, pixel += box.pixel) {
#pragma GCC unroll 4
        for (int v = 0; v + 1 < kCount; ++v) row[v] = Rule::Combine(row[v], hn::LoadU(d, pixel + v * lanes));
        row[kCount - 1] = Rule::Combine(row[kCount - 1], part.Load(pixel + (kCount - 1) * lanes));
      }
#pragma GCC unroll 4
      for (int v = 0; v < kCount; ++v) total[v] = Rule::Combine(total[v], row[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kCount; ++v) {
    const Vector y = Rule::Finish(total[v], box.factor);
    if (v + 1 < kCount) {
      hn::StoreU(y, d, output + channel + v * lanes);
    } else {
      part.Store(y, output + channel + v * lanes);
    }
  }
}

/// Combines the channels [channel, last).
template <class Rule, class T>
void CombinePixels(const PixelBox<T>& box, int64_t channel, int64_t last, T* output) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Rule::Tag()));
  for (; channel + (kVectors - 1) * lanes < last; channel += kVectors * lanes) {
    CombineChannels<Rule, kVectors>(box, channel, std::min(last, channel + kVectors * lanes), output);
  }
  for (; channel < last; channel += lanes) {
    CombineChannels<Rule, 1>(box, channel, std::min(last, channel + lanes), output);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

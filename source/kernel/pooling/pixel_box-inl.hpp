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

#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A box of pixels of elements T, which are combined into one pixel.
template <class T>
struct PixelBox {
  const T* image;
  int64_t pixel;  ///< strides between pixels, rows and planes of the box, in elements
  int64_t row;
  int64_t plane;
  int64_t width;  ///< extents in pixels
  int64_t height;
  int64_t depth;

  int64_t pixels() const { return width * height * depth; }
};

// A rule says how pixels are combined. Elements is the tag of the vectors that are read, Totals the tag of the vectors
// of totals, which begin with Start(). A store object, with the functions of TotalsAsTheyAre, says how totals are
// written: Whole writes a whole vector, Part its first lanes.

/// The part of a rule whose totals have the type of the elements.
template <class T>
struct ElementsToElements {
  using Element = T;
  using Elements = hn::ScalableTag<T>;
  using Totals = Elements;
  using Vector = hn::Vec<Totals>;
  static HWY_INLINE Vector Total(const Vector elements) { return elements; }
};

template <class Tag>
struct TotalsAsTheyAre {
  using Output = hn::TFromD<Tag>;
  HWY_INLINE void Whole(const hn::Vec<Tag> total, Output* to) const { hn::StoreU(total, Tag(), to); }
  HWY_INLINE void Part(const hn::Vec<Tag> total, int64_t count, Output* to) const {
    PartialLanes<Tag>(count).Store(total, to);
  }
};

/// Combines kCount vectors of channels; the last vector may be partial.
template <class Rule, int kCount, class Store>
HWY_INLINE void CombineChannels(const PixelBox<typename Rule::Element>& box, int64_t channel, int64_t last,
                                const Store& store, typename Store::Output* output) {
  using Vector = hn::Vec<typename Rule::Totals>;
  const typename Rule::Elements d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t rest = last - channel - (kCount - 1) * lanes;
  const PartialLanes<typename Rule::Elements> part(rest);
  Vector total[kCount];
#pragma GCC unroll 4
  for (int v = 0; v < kCount; ++v) total[v] = Rule::Start();
  for (int64_t z = 0; z < box.depth; ++z) {
    for (int64_t y = 0; y < box.height; ++y) {
      const typename Rule::Element* pixel = box.image + z * box.plane + y * box.row + channel;
      Vector row[kCount];  // a sum of the rows' sums rounds less than one long sum
#pragma GCC unroll 4
      for (int v = 0; v < kCount; ++v) row[v] = Rule::Start();
      for (int64_t x = 0; x < box.width; ++x, pixel += box.pixel) {
#pragma GCC unroll 4
        for (int v = 0; v + 1 < kCount; ++v) {
          row[v] = Rule::Combine(row[v], Rule::Total(hn::LoadU(d, pixel + v * lanes)));
        }
        row[kCount - 1] = Rule::Combine(row[kCount - 1], Rule::Total(part.Load(pixel + (kCount - 1) * lanes)));
      }
#pragma GCC unroll 4
      for (int v = 0; v < kCount; ++v) total[v] = Rule::Combine(total[v], row[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v + 1 < kCount; ++v) store.Whole(total[v], output + channel + v * lanes);
  store.Part(total[kCount - 1], rest, output + channel + (kCount - 1) * lanes);
}

/// Combines the channels [channel, last).
template <class Rule, class Store>
void CombinePixels(const PixelBox<typename Rule::Element>& box, int64_t channel, int64_t last, const Store& store,
                   typename Store::Output* output) {
  constexpr int kVectors = 4;  // vectors that are combined side by side
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Rule::Elements()));
  for (; channel + (kVectors - 1) * lanes < last; channel += kVectors * lanes) {
    CombineChannels<Rule, kVectors>(box, channel, std::min(last, channel + kVectors * lanes), store, output);
  }
  for (; channel < last; channel += lanes) {
    CombineChannels<Rule, 1>(box, channel, std::min(last, channel + lanes), store, output);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

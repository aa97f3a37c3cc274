// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/pooling/channels_last_pooling.cpp"
#include "kernel/pooling/channels_last_pooling.hpp"

#include <algorithm>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/pooling/pixel_box-inl.hpp"
#include "kernel/pooling/pooled_means-inl.hpp"
#include "kernel/pooling/pooled_pixels-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// NaN wins.
struct LargestFloat : ElementsToElements<float> {
  static HWY_INLINE Vector Start() { return hn::Set(Totals(), -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
};

struct LargestByte : ElementsToElements<uint8_t> {
  static HWY_INLINE Vector Start() { return hn::Zero(Totals()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Max(a, b); }
};

template <class Rule>
struct Maxima {
  using Input = typename Rule::Element;
  using Total = Input;
  using Output = Input;
  static constexpr TotalsAsTheyAre<typename Rule::Totals> kStore{};

  void PoolBand(const PixelBox<Input>& band, int64_t channels, Total* to) const {
    CombinePixels<Rule>(band, 0, channels, kStore, to);
  }
  void CombineBands(const PixelBox<Total>& bands, int64_t /*pixels*/, double /*divisor*/, int64_t channels,
                    Output* to) const {
    CombinePixels<Rule>(bands, 0, channels, kStore, to);
  }
  void PoolBox(const PixelBox<Input>& box, double /*divisor*/, int64_t channel, int64_t last, Output* to) const {
    CombinePixels<Rule>(box, channel, last, kStore, to);
  }
};

}  // namespace

void Pool(const ChannelsLastPooling& pooling, const PoolingStorage& storage, const void* input,
          const PixelStrides& strides, void* output, const PixelStrides& output_strides, void* scratch) {
  const auto run = [&](const auto& kind) {
    RunPooling(pooling, kind, input, strides, output, output_strides, scratch);
  };
  if (pooling.maximum) {
    storage.input ? run(Maxima<LargestByte>()) : run(Maxima<LargestFloat>());
  } else if (storage.writes_bytes) {
    storage.input ? run(Means<uint8_t, uint8_t>(storage)) : run(Means<float, uint8_t>(storage));
  } else {
    storage.input ? run(Means<uint8_t, float>(storage)) : run(Means<float, float>(storage));
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(Pool);

int64_t PoolingBands(const ChannelsLastPooling& pooling) {
  constexpr int64_t kMostBands = 8;
  constexpr int64_t kRowsOfBand = 3;
  const int64_t positions = pooling.position_count();
  if (positions == 0 || positions >= kManyPoolingPositions || pooling.image[0] != 1) return 1;
  int64_t rows = pooling.image[1];
  for (const ChannelsLastPooling::Range& range : pooling.axes[1]) {
    rows = std::min(rows, (range.elements.last - range.elements.first) / pooling.dilation[1]);
  }
  return std::clamp<int64_t>(rows / kRowsOfBand, 1, kMostBands);
}

int64_t PoolingScratchBytes(const ChannelsLastPooling& pooling, const PoolingStorage& storage) {
  const int64_t bands = PoolingBands(pooling);
  const bool bytes = pooling.maximum && storage.input;
  const int64_t element = bytes ? 1 : sizeof(float);  // sums of bytes are as wide
  return bands > 1 ? pooling.position_count() * bands * pooling.channels * element : 0;
}

bool SumsOfBytesFit(const ChannelsLastPooling& pooling) {
  constexpr int64_t kMostPixels = std::numeric_limits<int32_t>::max() / std::numeric_limits<uint8_t>::max();
  return pooling.image[0] * pooling.image[1] * pooling.image[2] <= kMostPixels;
}

void PoolChannelsLast(const ChannelsLastPooling& pooling, const PoolingStorage& storage, const void* input,
                      const PixelStrides& strides, void* output, const PixelStrides& output_strides, void* scratch) {
  KUIPER_SIMD(Pool)(pooling, storage, input, strides, output, output_strides, scratch);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/pooling/channels_last_pooling.cpp"
#include "kernel/pooling/channels_last_pooling.hpp"

#include <algorithm>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/float_lanes-inl.hpp"
#include "kernel/pooling/pixel_box-inl.hpp"
#include "kernel/pooling/pooled_means-inl.hpp"
#include "kernel/pooling/pooled_pixels-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The rule for maxima of floats; NaN wins.
struct LargestFloat : ElementsToElements<float> {
  static HWY_INLINE Vector Start() { return hn::Set(Totals(), -std::numeric_limits<float>::infinity()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
};

struct LargestBFloat16 : LargestFloat {
  using Element = uint16_t;
  using Elements = BFloat16Lanes;
  static HWY_INLINE Vector Total(const hn::Vec<Elements> numbers) { return WidenBFloat16(numbers); }
};

/// Writes floats that have the values of bfloat16 numbers, without rounding.
struct BFloat16Store {
  using Output = uint16_t;
  static HWY_INLINE hn::Vec<BFloat16Lanes> Cut(const hn::Vec<hn::ScalableTag<float>> total) {
    return CutToBFloat16(hn::BitCast(hn::ScalableTag<uint32_t>(), total));
  }
  HWY_INLINE void Whole(const hn::Vec<hn::ScalableTag<float>> total, Output* to) const {
    hn::StoreU(Cut(total), BFloat16Lanes(), to);
  }
  HWY_INLINE void Part(const hn::Vec<hn::ScalableTag<float>> total, int64_t count, Output* to) const {
    PartialLanes<BFloat16Lanes>(count).Store(Cut(total), to);
  }
};

struct LargestByte : ElementsToElements<uint8_t> {
  static HWY_INLINE Vector Start() { return hn::Zero(Totals()); }
  static HWY_INLINE Vector Combine(const Vector a, const Vector b) { return hn::Max(a, b); }
};

/// Maxima. `Rule` combines elements, `TotalRule` the totals of bands, and `Store` writes the results.
template <class Rule, class TotalRule = Rule, class Store = TotalsAsTheyAre<typename Rule::Totals>>
struct Maxima {
  using Input = typename Rule::Element;
  using Total = typename TotalRule::Element;
  using Output = Input;
  static constexpr Store kStore{};

  void PoolBand(const PixelBox<Input>& band, int64_t channels, Total* to) const {
    CombinePixels<Rule>(band, 0, channels, TotalsAsTheyAre<typename Rule::Totals>(), to);
  }
  void CombineBands(const PixelBox<Total>& bands, int64_t /*pixels*/, double /*divisor*/, int64_t channels,
                    Output* to) const {
    CombinePixels<TotalRule>(bands, 0, channels, kStore, to);
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
  const bool from_bytes = storage.input_type == RuntimeDataType::kTypeUInt8;
  if constexpr (kStoresBFloat16) {
    const bool from_halves = storage.input_type == RuntimeDataType::kTypeBFloat16;
    const bool to_halves = storage.result_type == RuntimeDataType::kTypeBFloat16;
    if (from_halves && pooling.maximum) return run(Maxima<LargestBFloat16, LargestFloat, BFloat16Store>());
    if (from_halves && to_halves) return run(Means<uint16_t, uint16_t>(storage));
    if (from_halves) return run(Means<uint16_t, float>(storage));
    if (to_halves) return run(Means<float, uint16_t>(storage));
  }
  if (pooling.maximum) {
    from_bytes ? run(Maxima<LargestByte>()) : run(Maxima<LargestFloat>());
  } else if (storage.result_type == RuntimeDataType::kTypeUInt8) {
    from_bytes ? run(Means<uint8_t, uint8_t>(storage)) : run(Means<float, uint8_t>(storage));
  } else {
    from_bytes ? run(Means<uint8_t, float>(storage)) : run(Means<float, float>(storage));
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
  const bool bytes = pooling.maximum && storage.input_type == RuntimeDataType::kTypeUInt8;
  const int64_t element = bytes ? 1 : sizeof(float);  // sums of bytes are as wide as floats
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

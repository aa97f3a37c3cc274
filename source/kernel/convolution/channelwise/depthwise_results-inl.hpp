// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_DEPTHWISE_RESULTS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_DEPTHWISE_RESULTS_INL_HPP_
#undef KUIPER_KERNEL_DEPTHWISE_RESULTS_INL_HPP_
#else
#define KUIPER_KERNEL_DEPTHWISE_RESULTS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/elementwise/tile_functions-inl.hpp"
#include "kernel/float_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// What a micro-kernel tile of a depthwise convolution reads and writes: neighbouring windows of one row of outputs,
/// some channels. Strides count numbers.
struct DepthwiseTile {
  int64_t rows;       ///< rows of the windows that lie inside the image
  const void* image;  ///< first pixel of the first of these rows: float or uint16_t (bfloat16)
  int64_t row_stride;
  int64_t pixel;
  int64_t column;   ///< column of the image under the first window's first tap, perhaps outside
  int64_t columns;  ///< of the image
  int64_t channels;
  const float* weight;  ///< of the taps on these rows: (rows, kernel), weight_stride apart
  int64_t weight_stride;
  const float* bias;                 ///< or null
  FloatArray<const void*> residual;  ///< data may be null
  int64_t residual_stride;           ///< from window to window
  FloatArray<void*> output;
  int64_t output_stride;
  float least;  ///< results are limited to [least, most]
  float most;
  TileFunction function;  ///< applied instead of the limits
  bool plain;             ///< no residual and no function
};

/// Adds the residual to sums (windows, vectors) of channels from `channel` on, applies the function or the limits, and
/// writes the results. Tiles call it if they are not `plain`, which is rare.
template <bool kPartial>
HWY_NOINLINE void FinishDepthwise(const DepthwiseTile& t, int64_t channel, int64_t windows, int64_t vectors,
                                  const float* sums) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const FloatLanes<kPartial> part(t.channels - channel);
  const auto least = hn::Set(d, t.least);
  const auto most = hn::Set(d, t.most);
  DispatchFloatTileFunction(t.function, [&](auto function) HWY_ATTR {
    for (int64_t i = 0; i < windows; ++i) {
      for (int64_t v = 0; v < vectors; ++v, sums += lanes) {
        auto sum = hn::Load(d, sums);
        const int64_t place = channel + v * lanes;
        if (t.residual.data != nullptr) {
          sum = hn::Add(sum, LoadFrom(part, t.residual, i * t.residual_stride + place));
        }
        StoreTo(part, ResultOf<decltype(function)::value>(sum, least, most), t.output, i * t.output_stride + place);
      }
    }
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

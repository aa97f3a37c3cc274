// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/window_rows.cpp"
#include "kernel/convolution/window_rows.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "shape/window_range.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Copies a run of pixels. Runs are short, so that calls of memcpy would cost more than the copying.
HWY_INLINE float* CopyRun(const float* from, int64_t count, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  if (i < count) {
    const PartialVector part(count - i);
    part.Store(part.Load(from + i), to + i);
  }
  return to + count;
}

HWY_INLINE float* FillZero(int64_t count, float* to) {
  std::fill_n(to, count, 0.0F);
  return to + count;
}

}  // namespace

void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                    int64_t pixel, float* rows, int64_t pitch) {
  const auto& [depth, height, width] = grid.window;
  const int64_t row_floats = width.kernel * channels;
  for (int64_t position = first; position < last; ++position, rows += pitch) {
    const int64_t w = position % grid.positions[2];
    const int64_t h = position / grid.positions[2] % grid.positions[1];
    const int64_t d = position / grid.positions[2] / grid.positions[1];
    const TapRange across = TapsInside(width, w, grid.image[2]);
    float* to = rows;
    for (int64_t kd = 0; kd < depth.kernel; ++kd) {
      const int64_t z = d * depth.stride - depth.padding_begin + kd * depth.dilation;
      for (int64_t kh = 0; kh < height.kernel; ++kh) {
        const int64_t y = h * height.stride - height.padding_begin + kh * height.dilation;
        if (z < 0 || z >= grid.image[0] || y < 0 || y >= grid.image[1] || across.empty()) {
          to = FillZero(row_floats, to);
          continue;
        }
        const float* from = image + ((z * grid.image[1] + y) * grid.image[2] + across.start) * pixel;
        to = FillZero(across.first * channels, to);
        if (width.dilation == 1 && pixel == channels) {
          to = CopyRun(from, across.count() * channels, to);
        } else {
          for (int64_t tap = across.first; tap < across.last; ++tap, from += width.dilation * pixel) {
            to = CopyRun(from, channels, to);
          }
        }
        to = FillZero((width.kernel - across.last) * channels, to);
      }
    }
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(CopyWindowRows);

void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                    int64_t pixel, float* rows, int64_t pitch) {
  KUIPER_SIMD(CopyWindowRows)(grid, channels, first, last, image, pixel, rows, pitch);
}

}  // namespace kuiper_infer::kernel
#endif

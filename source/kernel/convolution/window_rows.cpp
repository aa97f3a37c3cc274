// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/window_rows.cpp"
#include "kernel/convolution/window_rows.hpp"

#include <algorithm>
#include <cstring>

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

/// Copies the first kBytes and the last kBytes of a run; the compiler knows the number.
template <int64_t kBytes>
HWY_INLINE void CopyEnds(const uint8_t* from, int64_t count, uint8_t* to) {
  uint8_t first[kBytes];
  uint8_t last[kBytes];
  std::memcpy(first, from, kBytes);
  std::memcpy(last, from + count - kBytes, kBytes);
  std::memcpy(to, first, kBytes);
  std::memcpy(to + count - kBytes, last, kBytes);
}

/// Bytes may be copied twice.
HWY_INLINE uint8_t* CopyRun(const uint8_t* from, int64_t count, uint8_t* to) {
  constexpr int64_t kBytes = 16;
  if (count >= kBytes) {
    for (int64_t i = kBytes; i + kBytes < count; i += kBytes) std::memcpy(to + i, from + i, kBytes);
    CopyEnds<kBytes>(from, count, to);
  } else if (count >= 8) {
    CopyEnds<8>(from, count, to);
  } else if (count >= 4) {
    CopyEnds<4>(from, count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i];
  }
  return to + count;
}

HWY_INLINE uint16_t* CopyRun(const uint16_t* from, int64_t count, uint16_t* to) {
  CopyRun(reinterpret_cast<const uint8_t*>(from), 2 * count, reinterpret_cast<uint8_t*>(to));
  return to + count;
}

template <class T>
HWY_INLINE T* Fill(int64_t count, T value, T* to) {
  if (count == 0) return to;  // mostly, and a call of memset would cost as much as copying
  std::fill_n(to, count, value);
  return to + count;
}

template <class T>
void CopyRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const T* image, int64_t pixel,
              T* rows, int64_t pitch, T padding) {
  const auto& [depth, height, width] = grid.window;
  const int64_t row_size = width.kernel * channels;
  for (int64_t position = first; position < last; ++position, rows += pitch) {
    const int64_t w = position % grid.positions[2];
    const int64_t h = position / grid.positions[2] % grid.positions[1];
    const int64_t d = position / grid.positions[2] / grid.positions[1];
    const TapRange across = TapsInside(width, w, grid.image[2]);
    T* to = rows;
    for (int64_t kd = 0; kd < depth.kernel; ++kd) {
      const int64_t z = d * depth.stride - depth.padding_begin + kd * depth.dilation;
      for (int64_t kh = 0; kh < height.kernel; ++kh) {
        const int64_t y = h * height.stride - height.padding_begin + kh * height.dilation;
        if (z < 0 || z >= grid.image[0] || y < 0 || y >= grid.image[1] || across.empty()) {
          to = Fill(row_size, padding, to);
          continue;
        }
        const T* from = image + ((z * grid.image[1] + y) * grid.image[2] + across.start) * pixel;
        to = Fill(across.first * channels, padding, to);
        if (width.dilation == 1 && pixel == channels) {
          to = CopyRun(from, across.count() * channels, to);
        } else {
          for (int64_t tap = across.first; tap < across.last; ++tap, from += width.dilation * pixel) {
            to = CopyRun(from, channels, to);
          }
        }
        to = Fill((width.kernel - across.last) * channels, padding, to);
      }
    }
  }
}

}  // namespace

void CopyFloatRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                   int64_t pixel, float* rows, int64_t pitch, float padding) {
  CopyRows(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

void CopyHalfRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint16_t* image,
                  int64_t pixel, uint16_t* rows, int64_t pitch, uint16_t padding) {
  CopyRows(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

void CopyByteRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint8_t* image,
                  int64_t pixel, uint8_t* rows, int64_t pitch, uint8_t padding) {
  CopyRows(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(CopyFloatRows);
KUIPER_SIMD_TABLE(CopyHalfRows);
KUIPER_SIMD_TABLE(CopyByteRows);

void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const float* image,
                    int64_t pixel, float* rows, int64_t pitch, float padding) {
  KUIPER_SIMD(CopyFloatRows)(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint16_t* image,
                    int64_t pixel, uint16_t* rows, int64_t pitch, uint16_t padding) {
  KUIPER_SIMD(CopyHalfRows)(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

void CopyWindowRows(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const uint8_t* image,
                    int64_t pixel, uint8_t* rows, int64_t pitch, uint8_t padding) {
  KUIPER_SIMD(CopyByteRows)(grid, channels, first, last, image, pixel, rows, pitch, padding);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_WINOGRAD_TILE_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_WINOGRAD_TILE_INL_HPP_
#undef KUIPER_KERNEL_WINOGRAD_TILE_INL_HPP_
#else
#define KUIPER_KERNEL_WINOGRAD_TILE_INL_HPP_
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/winograd/points.hpp"
#include "kernel/convolution/winograd/tiles.hpp"
#include "kernel/float_lanes-inl.hpp"
#include "kernel/limits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;

/// The one-dimensional transforms of vectors: image (m + 2 numbers, in place) by B', products (m + 2 to m) by A'.
template <int kOutputs>
struct WinogradTransform;

template <>
struct WinogradTransform<2> {
  static HWY_INLINE void Image(FloatVector (&d)[4]) {
    const FloatVector first = hn::Sub(d[0], d[2]);
    const FloatVector last = hn::Sub(d[1], d[3]);
    const FloatVector sum = hn::Add(d[1], d[2]);
    d[2] = hn::Sub(d[2], d[1]);
    d[0] = first;
    d[1] = sum;
    d[3] = last;
  }
  static HWY_INLINE void Output(const FloatVector (&m)[4], FloatVector (&y)[2]) {
    y[0] = hn::Add(m[0], hn::Add(m[1], m[2]));
    y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
  }
};

/// The transforms of F(4,3) by the points 0, a, -a, b, -b and infinity.
template <>
struct WinogradTransform<4> {
  static constexpr float kA = kWinogradInner;
  static constexpr float kB = kWinogradOuter;
  static constexpr float kA2 = kA * kA;
  static constexpr float kB2 = kB * kB;

  static HWY_INLINE void Image(FloatVector (&d)[6]) {
    const Floats f;
    const FloatVector a = hn::Set(f, kA);
    const FloatVector b = hn::Set(f, kB);
    const FloatVector a2 = hn::Set(f, kA2);
    const FloatVector b2 = hn::Set(f, kB2);
    const FloatVector sum = hn::Set(f, kA2 + kB2);
    const FloatVector product = hn::Set(f, kA2 * kB2);
    const FloatVector even = hn::NegMulAdd(b2, d[2], d[4]);
    const FloatVector odd = hn::NegMulAdd(b2, d[1], d[3]);
    const FloatVector even2 = hn::NegMulAdd(a2, d[2], d[4]);
    const FloatVector odd2 = hn::NegMulAdd(a2, d[1], d[3]);
    d[0] = hn::MulAdd(product, d[0], hn::NegMulAdd(sum, d[2], d[4]));
    d[5] = hn::MulAdd(product, d[1], hn::NegMulAdd(sum, d[3], d[5]));
    d[1] = hn::MulAdd(a, odd, even);
    d[2] = hn::NegMulAdd(a, odd, even);
    d[3] = hn::MulAdd(b, odd2, even2);
    d[4] = hn::NegMulAdd(b, odd2, even2);
  }
  static HWY_INLINE void Output(const FloatVector (&m)[6], FloatVector (&y)[4]) {
    const Floats f;
    const FloatVector sum = hn::Add(m[1], m[2]);
    const FloatVector difference = hn::Sub(m[1], m[2]);
    const FloatVector sum2 = hn::Add(m[3], m[4]);
    const FloatVector difference2 = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(m[0], hn::Add(sum, sum2));
    y[1] = hn::MulAdd(hn::Set(f, kB), difference2, hn::Mul(hn::Set(f, kA), difference));
    y[2] = hn::MulAdd(hn::Set(f, kB2), sum2, hn::Mul(hn::Set(f, kA2), sum));
    y[3] = hn::MulAdd(hn::Set(f, kB2 * kB), difference2, hn::MulAdd(hn::Set(f, kA2 * kA), difference, m[5]));
  }
};

/// The transforms of F(6,3) by the points 0, 1, -1, 2, -2, 1/2, -1/2 and infinity.
template <>
struct WinogradTransform<6> {
  static HWY_INLINE void Image(FloatVector (&d)[8]) {
    const Floats f;
    const FloatVector half = hn::Set(f, 0.5F);
    const FloatVector two = hn::Set(f, 2.0F);
    const FloatVector middle = hn::Set(f, 4.25F);
    const FloatVector outer = hn::Set(f, 5.25F);
    const FloatVector even = hn::NegMulAdd(middle, d[4], hn::Add(d[2], d[6]));
    const FloatVector odd = hn::NegMulAdd(middle, d[3], hn::Add(d[1], d[5]));
    const FloatVector even2 = hn::MulAdd(hn::Set(f, 0.25F), d[2], hn::NegMulAdd(hn::Set(f, 1.25F), d[4], d[6]));
    const FloatVector even3 = hn::MulAdd(hn::Set(f, 4.0F), d[2], hn::NegMulAdd(hn::Set(f, 5.0F), d[4], d[6]));
    const FloatVector third = hn::Mul(hn::Set(f, 2.5F), d[3]);
    const FloatVector odd2 = hn::MulAdd(half, d[1], hn::MulSub(two, d[5], third));
    const FloatVector odd3 = hn::MulAdd(two, d[1], hn::MulSub(half, d[5], third));
    d[0] = hn::MulAdd(outer, hn::Sub(d[4], d[2]), hn::Sub(d[0], d[6]));
    d[7] = hn::MulAdd(outer, hn::Sub(d[3], d[5]), hn::Sub(d[7], d[1]));
    d[1] = hn::Add(even, odd);
    d[2] = hn::Sub(even, odd);
    d[3] = hn::Add(even2, odd2);
    d[4] = hn::Sub(even2, odd2);
    d[5] = hn::Add(even3, odd3);
    d[6] = hn::Sub(even3, odd3);
  }
  static HWY_INLINE void Output(const FloatVector (&m)[8], FloatVector (&y)[6]) {
    const Floats f;
    const FloatVector two = hn::Set(f, 2.0F);
    const FloatVector four = hn::Set(f, 4.0F);
    const FloatVector eight = hn::Set(f, 8.0F);
    const FloatVector sixteen = hn::Set(f, 16.0F);
    const FloatVector thirty_two = hn::Set(f, 32.0F);
    const FloatVector sum = hn::Add(m[1], m[2]);
    const FloatVector difference = hn::Sub(m[1], m[2]);
    const FloatVector sum2 = hn::Add(m[3], m[4]);
    const FloatVector difference2 = hn::Sub(m[3], m[4]);
    const FloatVector sum3 = hn::Add(m[5], m[6]);
    const FloatVector difference3 = hn::Sub(m[5], m[6]);
    y[0] = hn::MulAdd(thirty_two, sum3, hn::Add(m[0], hn::Add(sum, sum2)));
    y[1] = hn::MulAdd(sixteen, difference3, hn::MulAdd(two, difference2, difference));
    y[2] = hn::MulAdd(eight, sum3, hn::MulAdd(four, sum2, sum));
    y[3] = hn::MulAdd(four, difference3, hn::MulAdd(eight, difference2, difference));
    y[4] = hn::MulAdd(two, sum3, hn::MulAdd(sixteen, sum2, sum));
    y[5] = hn::Add(hn::MulAdd(thirty_two, difference2, difference), hn::Add(difference3, m[7]));
  }
};

/// A tile of an image of T (float or uint16_t, bfloat16) to transform. `image` is the address of its pixel (0, 0),
/// which need not exist.
template <class T>
struct ImageTile {
  const T* image;
  int64_t pixel;  ///< strides in numbers
  int64_t row;
  InsideRange rows;
  InsideRange columns;
  int64_t channels;
  float* planes;  ///< (m + 2)^2 results of `channels` floats
  int64_t plane;  ///< stride between them
};

// The functions below get copies, which no store may change: fields stay in registers.

template <int kOutputs, class T>
void TransformImageTile(ImageTile<T> tile) {
  constexpr int kSize = kOutputs + 2;
  const Floats f;
  const auto lanes = static_cast<int64_t>(hn::Lanes(f));
  for (int64_t channel = 0; channel < tile.channels; channel += lanes) {
    const FloatLanes<true> part(std::min(lanes, tile.channels - channel));
    FloatVector values[kSize][kSize];
    for (int y = 0; y < kSize; ++y) {
      FloatVector line[kSize];
#pragma GCC unroll 8
      for (int x = 0; x < kSize; ++x) {
        const bool inside = tile.rows.Contains(y) && tile.columns.Contains(x);
        line[x] = inside ? part.Load(tile.image + y * tile.row + x * tile.pixel + channel) : hn::Zero(f);
      }
      WinogradTransform<kOutputs>::Image(line);
#pragma GCC unroll 8
      for (int x = 0; x < kSize; ++x) values[y][x] = line[x];
    }
    for (int x = 0; x < kSize; ++x) {
      FloatVector line[kSize];
#pragma GCC unroll 8
      for (int y = 0; y < kSize; ++y) line[y] = values[y][x];
      WinogradTransform<kOutputs>::Image(line);
#pragma GCC unroll 8
      for (int y = 0; y < kSize; ++y) {
        part.Store(line[y], tile.planes + (y * kSize + x) * tile.plane + channel);
      }
    }
  }
}

/// An output tile to make. Rows and columns from `rows` and `columns` on lie outside of the image.
struct OutputTile {
  const float* planes;  ///< (m + 2)^2 products of `channels` floats
  int64_t plane;
  int64_t channels;
  int64_t rows;
  int64_t columns;
  const float* bias;
  FloatArray<const void*> residual;  ///< data may be null
  int64_t residual_pixel;
  int64_t residual_row;
  FloatArray<void*> output;
  int64_t pixel;
  int64_t row;
  float least;
  float most;
};

template <int kOutputs>
void TransformOutputTile(OutputTile tile) {
  constexpr int kSize = kOutputs + 2;
  const Floats f;
  const auto lanes = static_cast<int64_t>(hn::Lanes(f));
  const FloatVector least = hn::Set(f, tile.least);
  const FloatVector most = hn::Set(f, tile.most);
  for (int64_t channel = 0; channel < tile.channels; channel += lanes) {
    const FloatLanes<true> part(std::min(lanes, tile.channels - channel));
    const FloatVector bias = tile.bias != nullptr ? part.Load(tile.bias + channel) : hn::Zero(f);
    FloatVector values[kSize][kOutputs];
    for (int y = 0; y < kSize; ++y) {
      FloatVector line[kSize];
#pragma GCC unroll 8
      for (int x = 0; x < kSize; ++x) {
        line[x] = part.Load(tile.planes + (y * kSize + x) * tile.plane + channel);
      }
      WinogradTransform<kOutputs>::Output(line, values[y]);
    }
    for (int x = 0; x < tile.columns; ++x) {
      FloatVector line[kSize];
      FloatVector result[kOutputs];
#pragma GCC unroll 8
      for (int y = 0; y < kSize; ++y) line[y] = values[y][x];
      WinogradTransform<kOutputs>::Output(line, result);
      for (int y = 0; y < tile.rows; ++y) {
        FloatVector sum = hn::Add(result[y], bias);
        if (tile.residual.data != nullptr) {
          const int64_t place = y * tile.residual_row + x * tile.residual_pixel + channel;
          sum = hn::Add(sum, LoadFrom(part, tile.residual, place));
        }
        StoreTo(part, Limited(sum, least, most), tile.output, y * tile.row + x * tile.pixel + channel);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

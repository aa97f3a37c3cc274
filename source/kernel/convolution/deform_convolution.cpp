// SPDX-License-Identifier: MIT
#include "kernel/convolution/deform_convolution.hpp"

#include <algorithm>

#include "kernel/product/gemm.hpp"
#include "kernel/sampling/sample_taps.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of window positions of a matrix product.
constexpr int64_t kTile = 128;

/// Locates one tap of the windows [first, first + count); `offset` and `mask` belong to that tap.
template <class T>
void LocateTap(const WindowGrid& grid, int64_t tap, int64_t first, int64_t count, const T* offset, const T* mask,
               SampleTaps<T, 4>* taps) {
  const Window& high = grid.window[1];
  const Window& wide = grid.window[2];
  const int64_t positions = grid.position_count();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t p = first + i;
    const int64_t row = p / grid.positions[2] * high.stride - high.padding_begin + tap / wide.kernel * high.dilation;
    const int64_t column = p % grid.positions[2] * wide.stride - wide.padding_begin + tap % wide.kernel * wide.dilation;
    taps[i] = BilinearTaps(grid.image[1], grid.image[2], static_cast<T>(row) + offset[p],
                           static_cast<T>(column) + offset[positions + p]);
    if (mask == nullptr) continue;
    for (int64_t t = 0; t < taps[i].count; ++t) taps[i].weight[t] *= mask[p];
  }
}

/// Writes the windows [first, first + count) of one image as a matrix: columns[c * taps + t][i].
template <class T>
void FillColumns(const DeformConvolutionGeometry& geometry, int64_t first, int64_t count, const T* image,
                 const T* offset, const T* mask, T* columns) {
  const WindowGrid& grid = geometry.convolution.grid;
  const int64_t channels = geometry.convolution.channels_in / geometry.offset_groups;
  const int64_t positions = grid.position_count();
  SampleTaps<T, 4> taps[kTile];
  for (int64_t row = 0; row < geometry.offset_groups * grid.taps(); ++row) {
    const int64_t tap = row % grid.taps();
    LocateTap(grid, tap, first, count, offset + 2 * row * positions, mask != nullptr ? mask + row * positions : nullptr,
              taps);
    const int64_t group = row / grid.taps();
    for (int64_t c = group * channels; c < (group + 1) * channels; ++c) {
      const T* plane = image + c * grid.image_size();
      T* target = columns + (c * grid.taps() + tap) * count;
      for (int64_t i = 0; i < count; ++i) target[i] = taps[i].Sum(plane);
    }
  }
}

}  // namespace

int64_t DeformConvolutionGeometry::WorkerElements() const {
  return convolution.channels_in * convolution.grid.taps() * std::min(kTile, convolution.grid.position_count());
}

template <class T>
void DeformConvolution(const DeformConvolutionGeometry& geometry, const T* input, const T* offset, const T* mask,
                       const T* weight, const T* bias, T* output, std::byte* workspace) {
  const ConvolutionGeometry& sizes = geometry.convolution;
  const int64_t taps = sizes.grid.taps();
  const int64_t positions = sizes.grid.position_count();
  const int64_t tiles = (positions + kTile - 1) / kTile;
  const int64_t items = sizes.batch * tiles;
  const int64_t rows = sizes.channels_in / sizes.groups * taps;
  const int64_t group_out = sizes.channels_out / sizes.groups;
  ParallelItems(items, geometry.workers, [&](int64_t worker, int64_t item) {
    T* columns = reinterpret_cast<T*>(workspace) + worker * geometry.WorkerElements();
    const int64_t n = item / tiles;
    const int64_t first = item % tiles * kTile;
    const int64_t count = std::min(kTile, positions - first);
    const int64_t shifts = n * geometry.offset_groups * taps * positions;
    FillColumns(geometry, first, count, input + n * sizes.channels_in * sizes.grid.image_size(), offset + 2 * shifts,
                mask != nullptr ? mask + shifts : nullptr, columns);
    T* result = output + n * sizes.channels_out * positions + first;
    for (int64_t o = 0; o < sizes.channels_out; ++o) {
      std::fill_n(result + o * positions, count, bias != nullptr ? bias[o] : T(0));
    }
    for (int64_t g = 0; g < sizes.groups; ++g) {
      Gemm<T>(false, false, group_out, count, rows, T(1), weight + g * group_out * rows, rows,
              columns + g * rows * count, count, T(1), result + g * group_out * positions, positions);
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                                                  \
  template void DeformConvolution<T>(const DeformConvolutionGeometry&, const T*, const T*, const T*, const T*, \
                                     const T*, T*, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/pooling.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/box.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Above so many elements under a window, sums are kept in double.
constexpr int64_t kLongSum = 32;

/// Calls body(plane, od, oh) for every row of outputs.
template <class Body>
void ForEachRow(const WindowGrid& grid, int64_t planes, const Body& body) {
  const int64_t depth = grid.positions[0];
  const int64_t height = grid.positions[1];
  ParallelFor(planes * depth * height, GrainFor(grid.positions[2] * grid.taps()), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      body(row / height / depth, row / height % depth, row % height);
    }
  });
}

/// The elements of an axis under the window at `position`.
IndexRange CoveredElements(const Window& window, int64_t extent, int64_t position) {
  const int64_t start = position * window.stride - window.padding_begin;
  const int64_t end = start + (window.kernel - 1) * window.dilation + 1;
  const int64_t skipped = start < 0 ? (-start + window.dilation - 1) / window.dilation : 0;
  return {start + skipped * window.dilation, std::min(end, extent)};
}

int64_t Length(const IndexRange& range) { return std::max<int64_t>(range.last - range.first, 0); }

Box CoveredBox(const WindowGrid& grid, int64_t od, int64_t oh, int64_t ow) {
  return {{CoveredElements(grid.window[0], grid.image[0], od), CoveredElements(grid.window[1], grid.image[1], oh),
           CoveredElements(grid.window[2], grid.image[2], ow)},
          {grid.window[0].dilation, grid.window[1].dilation, grid.window[2].dilation}};
}

/// Combines the elements under a row of windows tap by tap: output[ow] = combine(output[ow], element). Each tap is one
/// loop over neighbouring outputs, which vectorises.
template <class T, class Combine>
void CombineRow(const WindowGrid& grid, int64_t od, int64_t oh, const T* plane, T* output, const Combine& combine) {
  const Window& wide = grid.window[2];
  const IndexRange depth = CoveredElements(grid.window[0], grid.image[0], od);
  const IndexRange height = CoveredElements(grid.window[1], grid.image[1], oh);
  for (int64_t tap = 0; tap < wide.kernel; ++tap) {
    const IndexRange inside = ValidPositions(wide, tap, grid.image[2], grid.positions[2]);
    const int64_t count = inside.last - inside.first;
    if (count == 0) continue;
    T* y = output + inside.first;
    const int64_t column = inside.first * wide.stride - wide.padding_begin + tap * wide.dilation;
    for (int64_t d = depth.first; d < depth.last; d += grid.window[0].dilation) {
      for (int64_t h = height.first; h < height.last; h += grid.window[1].dilation) {
        const T* x = plane + (d * grid.image[1] + h) * grid.image[2] + column;
        if (wide.stride == 1) {
          for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[i]);
        } else if (wide.stride == 2) {
          for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[2 * i]);
        } else {
          for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[i * wide.stride]);
        }
      }
    }
  }
}

/// Number of elements that count for an average along one axis.
int64_t DivisorPart(const AverageDivisor& divisor, const Window& window, int64_t extent, int64_t position) {
  if (!divisor.count_padding) return Length(CoveredElements(window, extent, position));
  const int64_t start = position * window.stride - window.padding_begin;
  return std::min(start + window.kernel, extent + window.padding_end) - start;
}

}  // namespace

template <class T>
void MaxPool(const WindowGrid& grid, int64_t planes, const T* input, T* output, int64_t* indices) {
  ForEachRow(grid, planes, [&](int64_t plane, int64_t od, int64_t oh) {
    const T* image = input + plane * grid.image_size();
    const int64_t row = ((plane * grid.positions[0] + od) * grid.positions[1] + oh) * grid.positions[2];
    if (indices == nullptr) {
      std::fill_n(output + row, grid.positions[2], LowestValue<T>());
      CombineRow(grid, od, oh, image, output + row, [](T a, T b) { return b > a || b != b ? b : a; });
      return;
    }
    for (int64_t ow = 0; ow < grid.positions[2]; ++ow) {
      const LargestElement<T> largest = LargestInBox(grid.image, CoveredBox(grid, od, oh, ow), image);
      output[row + ow] = largest.value;
      indices[row + ow] = largest.index;
    }
  });
}

template <class T>
void AveragePool(const WindowGrid& grid, const AverageDivisor& divisor, int64_t planes, const T* input, T* output) {
  const bool long_sum = grid.taps() > kLongSum;
  ForEachRow(grid, planes, [&](int64_t plane, int64_t od, int64_t oh) {
    const T* image = input + plane * grid.image_size();
    T* row = output + ((plane * grid.positions[0] + od) * grid.positions[1] + oh) * grid.positions[2];
    if (!long_sum) {
      std::fill_n(row, grid.positions[2], T(0));
      CombineRow(grid, od, oh, image, row, [](T a, T b) { return a + b; });
    }
    const int64_t outer = DivisorPart(divisor, grid.window[0], grid.image[0], od) *
                          DivisorPart(divisor, grid.window[1], grid.image[1], oh);
    for (int64_t ow = 0; ow < grid.positions[2]; ++ow) {
      const int64_t count =
          divisor.fixed != 0 ? divisor.fixed : outer * DivisorPart(divisor, grid.window[2], grid.image[2], ow);
      if (long_sum) {
        const double sum = SumBox(grid.image, CoveredBox(grid, od, oh, ow), image);
        row[ow] = static_cast<T>(sum / static_cast<double>(count));
      } else {
        row[ow] /= static_cast<T>(count);
      }
    }
  });
}

template <class T>
void LpPool(const WindowGrid& grid, double p, int64_t planes, const T* input, T* powers, T* output) {
  const int64_t size = planes * grid.image_size();
  const auto exponent = static_cast<T>(p);
  ParallelFor(size, GrainFor(32), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) powers[i] = std::pow(input[i], exponent);
  });
  AveragePool(grid, AverageDivisor{}, planes, powers, output);
  const auto window = static_cast<T>(grid.taps());
  const auto root = static_cast<T>(1.0 / p);
  ParallelFor(planes * grid.position_count(), GrainFor(32), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) output[i] = std::pow(output[i] * window, root);
  });
}

#define KUIPER_INSTANTIATE(T) template void MaxPool<T>(const WindowGrid&, int64_t, const T*, T*, int64_t*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
KUIPER_INSTANTIATE(int8_t)
KUIPER_INSTANTIATE(uint8_t)
KUIPER_INSTANTIATE(int16_t)
KUIPER_INSTANTIATE(int32_t)
KUIPER_INSTANTIATE(int64_t)
#undef KUIPER_INSTANTIATE

#define KUIPER_INSTANTIATE(T)                                                                    \
  template void AveragePool<T>(const WindowGrid&, const AverageDivisor&, int64_t, const T*, T*); \
  template void LpPool<T>(const WindowGrid&, double, int64_t, const T*, T*, T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

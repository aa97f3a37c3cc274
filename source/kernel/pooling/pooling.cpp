// SPDX-License-Identifier: MIT
#include "kernel/pooling/pooling.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/pooling/box.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of elements under a window above which sums are kept in double.
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

Box CoveredBox(const WindowGrid& grid, int64_t od, int64_t oh, int64_t ow) {
  return {{CoveredElements(grid.window[0], grid.image[0], od), CoveredElements(grid.window[1], grid.image[1], oh),
           CoveredElements(grid.window[2], grid.image[2], ow)},
          {grid.window[0].dilation, grid.window[1].dilation, grid.window[2].dilation}};
}

/// The number of input columns that are combined over depth and height before they are combined along the width.
constexpr int64_t kColumns = 1024;

/// Sets columns[i] to the combination of the elements at column first + i under windows of rows `depth` and `height`,
/// or to `start` if there are no elements.
template <class T, class Combine>
void CombineColumns(const WindowGrid& grid, const IndexRange& depth, const IndexRange& height, const IndexRange& range,
                    const T* plane, T start, const Combine& combine, T* columns) {
  const int64_t count = range.last - range.first;
  std::fill_n(columns, count, start);
  for (int64_t d = depth.first; d < depth.last; d += grid.window[0].dilation) {
    for (int64_t h = height.first; h < height.last; h += grid.window[1].dilation) {
      const T* x = plane + (d * grid.image[1] + h) * grid.image[2] + range.first;
      for (int64_t i = 0; i < count; ++i) columns[i] = combine(columns[i], x[i]);
    }
  }
}

/// Sets y[i] to combine(y[i], x[i * stride]); the usual strides are constants, so that the loops vectorise.
template <class T, class Combine>
void CombineStrided(int64_t count, int64_t stride, const T* x, const Combine& combine, T* y) {
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[i]);
  } else if (stride == 2) {
    for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[2 * i]);
  } else {
    for (int64_t i = 0; i < count; ++i) y[i] = combine(y[i], x[i * stride]);
  }
}

/// Combines the elements under a row of windows: output[ow] = combine of `start` and the elements. First down the
/// columns, which neighbouring windows share, then along the row, tap by tap.
template <class T, class Combine>
void CombineRow(const WindowGrid& grid, int64_t od, int64_t oh, const T* plane, T start, const Combine& combine,
                T* output) {
  const Window& wide = grid.window[2];
  const IndexRange depth = CoveredElements(grid.window[0], grid.image[0], od);
  const IndexRange height = CoveredElements(grid.window[1], grid.image[1], oh);
  const int64_t taps_per_block = std::min(wide.kernel, (kColumns - 1) / wide.dilation + 1);
  const int64_t covered = (taps_per_block - 1) * wide.dilation + 1;
  const int64_t outputs_per_block = (kColumns - covered) / wide.stride + 1;
  std::fill_n(output, grid.positions[2], start);
  T columns[kColumns];
  for (int64_t first = 0; first < grid.positions[2]; first += outputs_per_block) {
    const int64_t last = std::min(first + outputs_per_block, grid.positions[2]);
    for (int64_t tap = 0; tap < wide.kernel; tap += taps_per_block) {
      const int64_t end_tap = std::min(tap + taps_per_block, wide.kernel);
      const int64_t left = first * wide.stride - wide.padding_begin + tap * wide.dilation;
      const int64_t right = (last - 1) * wide.stride - wide.padding_begin + (end_tap - 1) * wide.dilation + 1;
      const IndexRange range{std::clamp<int64_t>(left, 0, grid.image[2]), std::min(right, grid.image[2])};
      if (range.last <= range.first) continue;
      CombineColumns(grid, depth, height, range, plane, start, combine, columns);
      for (int64_t k = tap; k < end_tap; ++k) {
        const IndexRange inside = ValidPositions(wide, k, grid.image[2], grid.positions[2]);
        const int64_t begin = std::max(inside.first, first);
        const int64_t count = std::min(inside.last, last) - begin;
        if (count <= 0) continue;
        const int64_t column = begin * wide.stride - wide.padding_begin + k * wide.dilation - range.first;
        CombineStrided(count, wide.stride, columns + column, combine, output + begin);
      }
    }
  }
}

}  // namespace

int64_t AverageDivisor::AxisPart(const Window& window, int64_t extent, int64_t position) const {
  if (!count_padding) {
    const IndexRange covered = CoveredElements(window, extent, position);
    return std::max<int64_t>(covered.last - covered.first, 0);
  }
  const int64_t start = position * window.stride - window.padding_begin;
  return std::min(start + window.kernel, extent + window.padding_end) - start;
}

template <class T>
void MaxPool(const WindowGrid& grid, int64_t planes, const T* input, T* output, int64_t* indices) {
  ForEachRow(grid, planes, [&](int64_t plane, int64_t od, int64_t oh) {
    const T* image = input + plane * grid.image_size();
    const int64_t row = ((plane * grid.positions[0] + od) * grid.positions[1] + oh) * grid.positions[2];
    if (indices == nullptr) {
      const auto larger = [](T a, T b) { return b > a || b != b ? b : a; };
      CombineRow(grid, od, oh, image, LowestValue<T>(), larger, output + row);
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
      CombineRow(
          grid, od, oh, image, T(0), [](T a, T b) { return a + b; }, row);
    }
    const int64_t outer =
        divisor.AxisPart(grid.window[0], grid.image[0], od) * divisor.AxisPart(grid.window[1], grid.image[1], oh);
    for (int64_t ow = 0; ow < grid.positions[2]; ++ow) {
      const int64_t count =
          divisor.fixed != 0 ? divisor.fixed : outer * divisor.AxisPart(grid.window[2], grid.image[2], ow);
      if (long_sum) {
        const double sum = SumBox(grid.image, CoveredBox(grid, od, oh, ow), image);
        row[ow] = static_cast<T>(sum / static_cast<double>(count));
      } else {
        row[ow] /= static_cast<T>(count);
      }
    }
  });
}

/// The pooling by the norm of p = infinity, which is the largest magnitude, or -infinity, the smallest one.
template <class T>
void ExtremeMagnitudes(const WindowGrid& grid, bool largest, int64_t planes, const T* input, T* magnitudes, T* output) {
  const auto sign = static_cast<T>(largest ? 1 : -1);
  const int64_t size = planes * grid.image_size();
  for (int64_t i = 0; i < size; ++i) magnitudes[i] = sign * std::abs(input[i]);
  MaxPool<T>(grid, planes, magnitudes, output, nullptr);
  const int64_t count = planes * grid.position_count();
  for (int64_t i = 0; i < count; ++i) output[i] *= sign;
}

template <class T>
void LpPool(const WindowGrid& grid, double p, int64_t planes, const T* input, T* powers, T* output) {
  if (std::isinf(p)) return ExtremeMagnitudes(grid, p > 0, planes, input, powers, output);
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

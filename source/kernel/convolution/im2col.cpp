// SPDX-License-Identifier: MIT
#include "kernel/convolution/im2col.hpp"

#include <algorithm>

#include "shape/window_range.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Goes through the positions [first, last) seen by one tap of the window, a piece of an output row at a time.
/// inside(column, element, count): the `count` columns from `column` on (counted from `first`) lie on image elements,
/// from `element` on in strides of the innermost stride; outside(column, count): they lie in the padding.
template <class Inside, class Outside>
void VisitTap(const WindowGrid& grid, int64_t tap, int64_t first, int64_t last, const Inside& inside,
              const Outside& outside) {
  const auto& [depth, height, width] = grid.window;
  const int64_t kw = tap % width.kernel;
  const int64_t kh = tap / width.kernel % height.kernel;
  const int64_t kd = tap / width.kernel / height.kernel;
  const int64_t row_length = grid.positions[2];
  const IndexRange valid = ValidPositions(width, kw, grid.image[2], row_length);
  int64_t position = first;
  while (position < last) {
    const int64_t row = position / row_length;
    const int64_t begin = position % row_length;
    const int64_t end = std::min(row_length, begin + last - position);
    const int64_t d = row / grid.positions[1] * depth.stride - depth.padding_begin + kd * depth.dilation;
    const int64_t h = row % grid.positions[1] * height.stride - height.padding_begin + kh * height.dilation;
    const bool in_image = d >= 0 && d < grid.image[0] && h >= 0 && h < grid.image[1];
    const int64_t inside_begin = in_image ? std::clamp(valid.first, begin, end) : end;
    const int64_t inside_end = in_image ? std::clamp(valid.last, inside_begin, end) : end;
    const int64_t column = position - first - begin;
    if (inside_begin > begin) outside(column + begin, inside_begin - begin);
    if (inside_end > inside_begin) {
      const int64_t w = inside_begin * width.stride - width.padding_begin + kw * width.dilation;
      inside(column + inside_begin, (d * grid.image[1] + h) * grid.image[2] + w, inside_end - inside_begin);
    }
    if (end > inside_end) outside(column + inside_end, end - inside_end);
    position += end - begin;
  }
}

}  // namespace

template <class T>
void Im2Col(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const T* image, T* columns,
            int64_t pitch) {
  const int64_t taps = grid.taps();
  const int64_t stride = grid.window[2].stride;
  ParallelFor(channels * taps, GrainFor(last - first), [&](int64_t first_row, int64_t last_row) {
    for (int64_t row = first_row; row < last_row; ++row) {
      const T* source = image + row / taps * grid.image_size();
      T* target = columns + row * pitch;
      const auto inside = [&](int64_t column, int64_t element, int64_t count) {
        if (stride == 1) {
          std::copy_n(source + element, count, target + column);
        } else {
          for (int64_t i = 0; i < count; ++i) target[column + i] = source[element + i * stride];
        }
      };
      const auto outside = [&](int64_t column, int64_t count) { std::fill_n(target + column, count, T(0)); };
      VisitTap(grid, row % taps, first, last, inside, outside);
    }
  });
}

template <class T>
void Col2Im(const WindowGrid& grid, int64_t channels, int64_t first, int64_t last, const T* columns, int64_t pitch,
            T* image) {
  const int64_t taps = grid.taps();
  const int64_t stride = grid.window[2].stride;
  ParallelFor(channels, GrainFor(taps * (last - first)), [&](int64_t first_channel, int64_t last_channel) {
    for (int64_t row = first_channel * taps; row < last_channel * taps; ++row) {
      const T* source = columns + row * pitch;
      T* target = image + row / taps * grid.image_size();
      const auto inside = [&](int64_t column, int64_t element, int64_t count) {
        for (int64_t i = 0; i < count; ++i) target[element + i * stride] += source[column + i];
      };
      VisitTap(grid, row % taps, first, last, inside, [](int64_t, int64_t) {});
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                                   \
  template void Im2Col<T>(const WindowGrid&, int64_t, int64_t, int64_t, const T*, T*, int64_t); \
  template void Col2Im<T>(const WindowGrid&, int64_t, int64_t, int64_t, const T*, int64_t, T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

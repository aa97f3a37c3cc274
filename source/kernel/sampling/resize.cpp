// SPDX-License-Identifier: MIT
#include "kernel/sampling/resize.hpp"

#include <algorithm>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
inline T SumOfTaps(int64_t taps, const T* weight, const int64_t* index, const T* input) {
  T sum = 0;
  for (int64_t t = 0; t < taps; ++t) sum += weight[t] * input[index[t]];
  return sum;
}

/// Sets output[o] to the weighted sum of the input elements that the axis names.
template <class T>
void SampleRow(const ResizeAxis<T>& axis, const T* input, T* output) {
  const int64_t* index = axis.index.data();
  const T* weight = axis.weight.data();
  switch (axis.taps) {
    case 1:
      for (int64_t o = 0; o < axis.extent_out; ++o) output[o] = input[index[o]];
      break;
    case 2:
      for (int64_t o = 0; o < axis.extent_out; ++o) {
        output[o] = weight[2 * o] * input[index[2 * o]] + weight[2 * o + 1] * input[index[2 * o + 1]];
      }
      break;
    case 4:
      for (int64_t o = 0; o < axis.extent_out; ++o) output[o] = SumOfTaps(4, weight + 4 * o, index + 4 * o, input);
      break;
    default:
      for (int64_t o = 0; o < axis.extent_out; ++o) {
        output[o] = SumOfTaps(axis.UsedTaps(o), weight + o * axis.taps, index + o * axis.taps, input);
      }
  }
}

/// The weighted sum of the input rows for output row (od, oh) of one image. If there is only one input row, that row
/// itself.
template <class T>
const T* BlendRows(const std::array<ResizeAxis<T>, 3>& axes, int64_t od, int64_t oh, const T* image, T* buffer) {
  const ResizeAxis<T>& deep = axes[0];
  const ResizeAxis<T>& high = axes[1];
  const int64_t width = axes[2].extent_in;
  bool first = true;
  for (int64_t td = od * deep.taps; td < od * deep.taps + deep.UsedTaps(od); ++td) {
    for (int64_t th = oh * high.taps; th < oh * high.taps + high.UsedTaps(oh); ++th) {
      const T* row = image + (deep.index[td] * high.extent_in + high.index[th]) * width;
      if (deep.taps * high.taps == 1) return row;
      const T weight = deep.weight[td] * high.weight[th];
      if (first) {
        for (int64_t i = 0; i < width; ++i) buffer[i] = weight * row[i];
      } else {
        for (int64_t i = 0; i < width; ++i) buffer[i] += weight * row[i];
      }
      first = false;
    }
  }
  if (first) std::fill_n(buffer, width, T(0));
  return buffer;
}

/// The least number of output rows that is worth a thread.
template <class T>
int64_t RowGrain(const std::array<ResizeAxis<T>, 3>& axes) {
  return GrainFor(axes[2].extent_in * axes[0].taps * axes[1].taps + axes[2].extent_out * axes[2].taps * 2);
}

/// Computes the output rows [first, last) of all images; `buffer` has room for an input row.
template <class T>
void ResizeRows(const std::array<ResizeAxis<T>, 3>& axes, int64_t first, int64_t last, const T* input, T* buffer,
                T* output) {
  const int64_t depth = axes[0].extent_out;
  const int64_t height = axes[1].extent_out;
  const int64_t width = axes[2].extent_out;
  const int64_t image_size = axes[0].extent_in * axes[1].extent_in * axes[2].extent_in;
  const T* former = nullptr;
  for (int64_t row = first; row < last; ++row) {
    const T* image = input + row / height / depth * image_size;
    const T* source = BlendRows(axes, row / height % depth, row % height, image, buffer);
    T* target = output + row * width;
    if (source == former && source != buffer) {  // enlarging repeats whole rows
      std::copy_n(target - width, width, target);
    } else {
      SampleRow(axes[2], source, target);
    }
    former = source;
  }
}

}  // namespace

template <class T>
int64_t ResizeWorkers(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int threads) {
  const int64_t rows = planes * axes[0].extent_out * axes[1].extent_out;
  return std::clamp<int64_t>(rows / RowGrain(axes), 1, std::max(threads, 1));
}

template <class T>
void Resize(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int64_t workers, const T* input, T* workspace,
            T* output) {
  const int64_t rows = planes * axes[0].extent_out * axes[1].extent_out;
  ParallelWorkers(rows, RowGrain(axes), workers, [&](int64_t worker, WorkerPieces pieces) {
    int64_t first = 0;
    int64_t last = 0;
    while (pieces.Take(first, last)) {
      ResizeRows(axes, first, last, input, workspace + worker * axes[2].extent_in, output);
    }
  });
}

#define KUIPER_INSTANTIATE(T)                                                           \
  template int64_t ResizeWorkers<T>(const std::array<ResizeAxis<T>, 3>&, int64_t, int); \
  template void Resize<T>(const std::array<ResizeAxis<T>, 3>&, int64_t, int64_t, const T*, T*, T*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

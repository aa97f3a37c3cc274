// SPDX-License-Identifier: MIT
#include "kernel/pooling/fractional_pooling.hpp"

#include <algorithm>

#include "kernel/pooling/box.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The start of window `position` along an axis. A sample outside of [0, 1) counts as 0.
template <class T>
int64_t WindowStart(int64_t extent, int64_t kernel, int64_t positions, int64_t position, T sample) {
  const int64_t last = extent - kernel;
  if (position == positions - 1) return last;
  const T alpha = static_cast<T>(last) / static_cast<T>(positions - 1);
  const T begin = sample >= T(0) && sample < T(1) ? sample : T(0);
  const auto start = static_cast<int64_t>((static_cast<T>(position) + begin) * alpha);
  return std::clamp<int64_t>(start - static_cast<int64_t>(begin * alpha), 0, last);
}

}  // namespace

template <class T>
void FractionalMaxPool(const WindowGrid& grid, int64_t axes, int64_t planes, const T* input, const T* samples,
                       T* output, int64_t* indices) {
  const int64_t positions = grid.position_count();
  ParallelFor(planes * positions, GrainFor(grid.taps()), [&](int64_t first, int64_t last) {
    for (int64_t item = first; item < last; ++item) {
      const int64_t plane = item / positions;
      const T* sample = samples + plane * axes;
      const T own[3] = {axes == 3 ? sample[0] : T(0), sample[1], axes == 3 ? sample[2] : sample[0]};
      int64_t rest = item % positions;
      Box box;
      for (int axis = 2; axis >= 0; --axis) {
        const int64_t kernel = grid.window[axis].kernel;
        const int64_t position = rest % grid.positions[axis];
        const int64_t start = WindowStart(grid.image[axis], kernel, grid.positions[axis], position, own[axis]);
        box.range[axis] = {start, start + kernel};
        rest /= grid.positions[axis];
      }
      const LargestElement<T> largest = LargestInBox(grid.image, box, input + plane * grid.image_size());
      output[item] = largest.value;
      if (indices != nullptr) indices[item] = largest.index;
    }
  });
}

template void FractionalMaxPool<float>(const WindowGrid&, int64_t, int64_t, const float*, const float*, float*,
                                       int64_t*);
template void FractionalMaxPool<double>(const WindowGrid&, int64_t, int64_t, const double*, const double*, double*,
                                        int64_t*);

}  // namespace kuiper_infer::kernel

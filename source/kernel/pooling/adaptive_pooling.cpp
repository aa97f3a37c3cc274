// SPDX-License-Identifier: MIT
#include "kernel/pooling/adaptive_pooling.hpp"

#include "kernel/pooling/box.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Calls body(plane of the input, box, index of the output) for every output element.
template <class T, class Body>
void ForEachBox(const Extents3& image, const Extents3& positions, int64_t planes, const T* input, const Body& body) {
  const int64_t image_size = image[0] * image[1] * image[2];
  const int64_t count = positions[0] * positions[1] * positions[2];
  if (count == 0) return;
  ParallelFor(planes * count, GrainFor(image_size / count + 1), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t od = i / positions[2] / positions[1] % positions[0];
      const int64_t oh = i / positions[2] % positions[1];
      const Box box{{AdaptiveRange(image[0], positions[0], od), AdaptiveRange(image[1], positions[1], oh),
                     AdaptiveRange(image[2], positions[2], i % positions[2])},
                    {1, 1, 1}};
      body(input + i / count * image_size, box, i);
    }
  });
}

}  // namespace

template <class T>
void AdaptiveAveragePool(const Extents3& image, const Extents3& positions, int64_t planes, const T* input, T* output) {
  ForEachBox(image, positions, planes, input, [&](const T* plane, const Box& box, int64_t i) {
    int64_t count = 1;
    for (const IndexRange& range : box.range) count *= range.last - range.first;
    output[i] = static_cast<T>(SumBox(image, box, plane) / static_cast<double>(count));
  });
}

template <class T>
void AdaptiveMaxPool(const Extents3& image, const Extents3& positions, int64_t planes, const T* input, T* output,
                     int64_t* indices) {
  ForEachBox(image, positions, planes, input, [&](const T* plane, const Box& box, int64_t i) {
    const LargestElement<T> largest = LargestInBox(image, box, plane);
    output[i] = largest.value;
    if (indices != nullptr) indices[i] = largest.index;
  });
}

#define KUIPER_INSTANTIATE(T)                                                                    \
  template void AdaptiveAveragePool<T>(const Extents3&, const Extents3&, int64_t, const T*, T*); \
  template void AdaptiveMaxPool<T>(const Extents3&, const Extents3&, int64_t, const T*, T*, int64_t*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

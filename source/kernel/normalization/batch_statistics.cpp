// SPDX-License-Identifier: MIT
#include "kernel/normalization/batch_statistics.hpp"

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {

template <class T>
void BatchStatistics(const AxisGeometry& geometry, const T* input, T* mean, T* variance) {
  const auto count = static_cast<double>(geometry.outer * geometry.inner);
  ParallelFor(geometry.extent, GrainFor(2 * geometry.outer * geometry.inner), [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const auto total = [&](const auto& term) {
        double sum = 0;
        for (int64_t o = 0; o < geometry.outer; ++o) {
          const T* x = input + (o * geometry.extent + c) * geometry.inner;
          for (int64_t i = 0; i < geometry.inner; ++i) sum += term(static_cast<double>(x[i]));
        }
        return sum;
      };
      const double center = total([](double x) { return x; }) / count;
      mean[c] = static_cast<T>(center);
      variance[c] = static_cast<T>(total([center](double x) { return (x - center) * (x - center); }) / count);
    }
  });
}

template void BatchStatistics<float>(const AxisGeometry&, const float*, float*, float*);
template void BatchStatistics<double>(const AxisGeometry&, const double*, double*, double*);

}  // namespace kuiper_infer::kernel

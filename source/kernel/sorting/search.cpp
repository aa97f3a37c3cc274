// SPDX-License-Identifier: MIT
#include "kernel/sorting/search.hpp"

#include <cmath>
#include <limits>

namespace kuiper_infer::kernel {

template <class T>
void SearchSorted(const T* sorted, const int64_t* order, int64_t length, const T* values, int64_t count, bool right,
                  int64_t* positions) {
  const auto element = [&](int64_t i) { return sorted[order == nullptr ? i : order[i]]; };
  for (int64_t v = 0; v < count; ++v) {
    const T value = values[v];
    int64_t low = 0;
    int64_t high = length;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      // Written so that NaN counts as larger than everything.
      const bool before = right ? !(element(middle) > value) : !(element(middle) >= value);
      (before ? low : high) = before ? middle + 1 : middle;
    }
    positions[v] = low;
  }
}

template <class T>
void Quantiles(const AxisGeometry& geometry, const T* sorted, const T* q, int64_t count, QuantileRule rule,
               bool skip_nan, T* out) {
  const int64_t lines = geometry.outer * geometry.inner;
  for (int64_t line = 0; line < lines; ++line) {
    const T* start = sorted + line / geometry.inner * geometry.extent * geometry.inner + line % geometry.inner;
    const auto element = [&](int64_t i) { return start[i * geometry.inner]; };
    int64_t length = geometry.extent;
    while (skip_nan && length > 0 && std::isnan(element(length - 1))) --length;
    const bool nan = length == 0 || std::isnan(element(length - 1));
    for (int64_t k = 0; k < count; ++k) {
      T& result = out[k * lines + line];
      if (nan || std::isnan(q[k])) {
        result = std::numeric_limits<T>::quiet_NaN();
        continue;
      }
      const T rank = q[k] * static_cast<T>(length - 1);
      const auto below = static_cast<int64_t>(std::floor(rank));
      const auto above = static_cast<int64_t>(std::ceil(rank));
      const T low = element(below);
      const T high = element(above);
      switch (rule) {
        case QuantileRule::kLower:
          result = low;
          break;
        case QuantileRule::kHigher:
          result = high;
          break;
        case QuantileRule::kNearest:
          result = element(static_cast<int64_t>(std::nearbyint(rank)));
          break;
        default: {
          const T weight = rule == QuantileRule::kMidpoint ? T(0.5) : rank - static_cast<T>(below);
          // PyTorch computes it so between equal elements, too: at an infinity that gives NaN.
          result = weight < T(0.5) ? low + weight * (high - low) : high - (high - low) * (T(1) - weight);
        }
      }
    }
  }
}

#define KUIPER_INSTANTIATE(T) \
  template void SearchSorted<T>(const T*, const int64_t*, int64_t, const T*, int64_t, bool, int64_t*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
KUIPER_INSTANTIATE(int64_t)
#undef KUIPER_INSTANTIATE
template void Quantiles<float>(const AxisGeometry&, const float*, const float*, int64_t, QuantileRule, bool, float*);
template void Quantiles<double>(const AxisGeometry&, const double*, const double*, int64_t, QuantileRule, bool,
                                double*);

}  // namespace kuiper_infer::kernel

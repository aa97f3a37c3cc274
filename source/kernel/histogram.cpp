// SPDX-License-Identifier: MIT
#include "kernel/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {

template <class T>
Interval HistogramRange(Interval given, const T* values, int64_t count) {
  if (given.low == given.high && count > 0) {
    const auto [least, largest] = std::minmax_element(values, values + count);
    given = {static_cast<double>(*least), static_cast<double>(*largest)};
  }
  if (given.low == given.high) given = {given.low - 1, given.high + 1};
  if (!std::isfinite(given.low) || !std::isfinite(given.high)) {
    throw Error(ErrorCode::kInput, "the range of a histogram is not finite");
  }
  return given;
}

template <class T>
void EqualEdges(Interval interval, int64_t bins, T* edges) {
  const double width = (interval.high - interval.low) / static_cast<double>(bins);
  for (int64_t i = 0; i < bins; ++i) edges[i] = static_cast<T>(interval.low + width * static_cast<double>(i));
  edges[bins] = static_cast<T>(interval.high);
}

template <class T>
void CountInBins(Interval interval, int64_t bins, const T* values, const T* weights, int64_t count, T* counts) {
  std::fill_n(counts, bins, T(0));
  const auto low = static_cast<T>(interval.low);
  const auto high = static_cast<T>(interval.high);
  for (int64_t i = 0; i < count; ++i) {
    if (!(values[i] >= low && values[i] <= high)) continue;
    const auto bin = static_cast<int64_t>((values[i] - low) / (high - low) * static_cast<T>(bins));
    counts[std::min(bin, bins - 1)] += weights == nullptr ? T(1) : weights[i];
  }
}

template <class T>
void CountBetween(const T* edges, int64_t bins, const T* values, const T* weights, int64_t count, T* counts) {
  std::fill_n(counts, bins, T(0));
  for (int64_t i = 0; i < count; ++i) {
    if (!(values[i] >= edges[0] && values[i] <= edges[bins])) continue;
    const int64_t bin = std::upper_bound(edges, edges + bins, values[i]) - edges - 1;
    counts[bin] += weights == nullptr ? T(1) : weights[i];
  }
}

template <class T>
void Normalize(const T* edges, int64_t bins, T* counts) {
  const T total = std::accumulate(counts, counts + bins, T(0));
  for (int64_t i = 0; i < bins; ++i) counts[i] /= total * (edges[i + 1] - edges[i]);
}

template Interval HistogramRange(Interval, const float*, int64_t);
template Interval HistogramRange(Interval, const double*, int64_t);
template void EqualEdges(Interval, int64_t, float*);
template void EqualEdges(Interval, int64_t, double*);
template void CountInBins(Interval, int64_t, const float*, const float*, int64_t, float*);
template void CountInBins(Interval, int64_t, const double*, const double*, int64_t, double*);
template void CountBetween(const float*, int64_t, const float*, const float*, int64_t, float*);
template void CountBetween(const double*, int64_t, const double*, const double*, int64_t, double*);
template void Normalize(const float*, int64_t, float*);
template void Normalize(const double*, int64_t, double*);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/reduction/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {

namespace {

[[noreturn]] void FailRange(Interval range, const char* expected) {
  throw Error(ErrorCode::kInput, "the histogram's range is " + std::to_string(range.low) + " to " +
                                     std::to_string(range.high) + ", expected " + expected);
}

}  // namespace

template <class T>
Interval HistogramRange(Interval given, const T* values, int64_t count, T margin) {
  constexpr double kMost = std::numeric_limits<T>::max();
  const auto check = [](Interval range) {
    const bool finite = range.low >= -kMost && range.high <= kMost && range.high - range.low <= kMost;
    if (!finite) FailRange(range, "finite numbers whose distance is finite in the input's type");
  };
  check(given);
  auto low = static_cast<T>(given.low);
  auto high = static_cast<T>(given.high);
  if (low == high && count > 0) {
    const T* nan = std::find_if(values, values + count, [](T x) { return std::isnan(x); });
    if (nan != values + count) FailRange({*nan, *nan}, "an input without NaN, or a range of its own");
    const auto [least, largest] = std::minmax_element(values, values + count);
    check({*least, *largest});
    low = *least;
    high = *largest;
  }
  if (low == high) {
    low -= margin;
    high += margin;
  }
  if (!(low < high)) FailRange({low, high}, "numbers that differ in the input's type");
  return {low, high};
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

template Interval HistogramRange(Interval, const float*, int64_t, float);
template Interval HistogramRange(Interval, const double*, int64_t, double);
template void EqualEdges(Interval, int64_t, float*);
template void EqualEdges(Interval, int64_t, double*);
template void CountInBins(Interval, int64_t, const float*, const float*, int64_t, float*);
template void CountInBins(Interval, int64_t, const double*, const double*, int64_t, double*);
template void CountBetween(const float*, int64_t, const float*, const float*, int64_t, float*);
template void CountBetween(const double*, int64_t, const double*, const double*, int64_t, double*);
template void Normalize(const float*, int64_t, float*);
template void Normalize(const double*, int64_t, double*);

}  // namespace kuiper_infer::kernel

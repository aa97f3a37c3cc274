// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

struct Interval {
  double low = 0;
  double high = 0;
};

/// The interval that a histogram covers: the given one or, if its ends are equal, the range of the values. An interval
/// of length 0 is widened by `margin` on both sides. Throws Error(kInput) if the ends or their distance are not finite
/// in T, if T cannot tell the ends apart, or if a NaN is among the values.
template <class T>
Interval HistogramRange(Interval given, const T* values, int64_t count, T margin = 1);

/// Sets edges[0 .. bins] to the ends of equal parts of the interval.
template <class T>
void EqualEdges(Interval interval, int64_t bins, T* edges);

/// Sets counts[i] to the number of values in the i-th of equal parts of the interval, or to the sum of their weights.
/// The last part includes its end. Values outside of the interval and NaN don't count.
template <class T>
void CountInBins(Interval interval, int64_t bins, const T* values, const T* weights, int64_t count, T* counts);

/// Sets counts[i] to the number of values between edges[i] and edges[i + 1], or to the sum of their weights. The edges
/// are ascending; the last part includes its end.
template <class T>
void CountBetween(const T* edges, int64_t bins, const T* values, const T* weights, int64_t count, T* counts);

/// Divides counts by their sum and by the widths of the bins.
template <class T>
void Normalize(const T* edges, int64_t bins, T* counts);

}  // namespace kuiper_infer::kernel

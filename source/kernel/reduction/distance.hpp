// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// The distances |x_i - y_j|_p of rows of `width` numbers: x has `rows` of them, y `columns`. p is 0 (count of
/// differences), infinite (the largest) or positive. They are computed from the differences themselves, not from a
/// matrix product, which would lose small distances between large numbers.
template <class T>
struct DistanceTask {
  double p = 2;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t width = 0;
  const T* x = nullptr;
  const T* y = nullptr;
  bool above_diagonal = false;  ///< whether only distances with i < j are computed, in row-major order without gaps
  T* out = nullptr;             ///< the distances; rows x columns unless `above_diagonal`

  /// The index in `out` of the distance of x_i and y_j.
  int64_t OffsetOf(int64_t i, int64_t j) const {
    return i * columns + j - (above_diagonal ? (i + 1) * (i + 2) / 2 : 0);
  }
};

/// Computes all distances, spread over threads. Instantiated for float and double.
template <class T>
void Distances(const DistanceTask<T>& task);

}  // namespace kuiper_infer::kernel

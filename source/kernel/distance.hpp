// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// out[i, j] = |x_i - y_j|_p over rows of `width` numbers: x has `rows` of them, y `columns`, out is rows x columns. p
/// is 0 (count of differences), infinite (the largest) or positive. For float and double.
template <class T>
void PairDistances(double p, int64_t rows, int64_t columns, int64_t width, const T* x, const T* y, T* out);

/// Distances between all pairs i < j of rows of one array, in row-major order.
template <class T>
void SelfDistances(double p, int64_t rows, int64_t width, const T* x, T* out);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/linear_algebra/lapack.hpp"
#include "kernel/linear_algebra/least_squares.hpp"

namespace kuiper_infer::kernel {

/// What a driver of LAPACK works on: column-major matrices, which it overwrites, and scratch memory. With `work_count`
/// -1 the driver only writes to work[0] and integers[0] how much memory it needs.
template <class T>
struct DriverCall {
  T* a = nullptr;
  T* b = nullptr;  ///< max(rows, columns) rows: B before the call, the solution after it
  T* singular_values = nullptr;
  T* work = nullptr;
  int64_t work_count = 0;
  LapackInt* integers = nullptr;  ///< kGelsd: scratch memory; kGelsy: `columns` zeros
  int64_t* rank = nullptr;
};

/// Calls the driver of the problem and returns its info: 0 or a positive number.
template <class T>
int CallDriver(const LeastSquares& problem, const DriverCall<T>& call);

}  // namespace kuiper_infer::kernel

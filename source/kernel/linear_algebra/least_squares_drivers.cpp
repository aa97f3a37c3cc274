// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/least_squares_drivers.hpp"

#include <algorithm>

#include "kernel/linear_algebra/lapack_routines.hpp"
#include "kernel/product/openblas_scope.hpp"

namespace kuiper_infer::kernel {

template <class T>
int CallDriver(const LeastSquares& problem, const DriverCall<T>& call) {
  using Routines = lapack::Routines<T>;
  const auto rows = static_cast<blasint>(problem.rows);
  const auto columns = static_cast<blasint>(problem.columns);
  const auto sides = static_cast<blasint>(problem.sides);
  const auto work_count = static_cast<blasint>(call.work_count);
  const blasint a_pitch = std::max<blasint>(rows, 1);
  const blasint b_pitch = std::max<blasint>({rows, columns, 1});
  const T rcond = static_cast<T>(problem.rcond);
  blasint rank = 0;
  blasint info = 0;
  const OpenBlasScope scope;
  switch (problem.driver) {
    case LeastSquares::Driver::kGels:
      Routines::kGels("N", &rows, &columns, &sides, call.a, &a_pitch, call.b, &b_pitch, call.work, &work_count, &info,
                      1);
      break;
    case LeastSquares::Driver::kGelsy:
      Routines::kGelsy(&rows, &columns, &sides, call.a, &a_pitch, call.b, &b_pitch, call.integers, &rcond, &rank,
                       call.work, &work_count, &info);
      break;
    case LeastSquares::Driver::kGelsd:
      Routines::kGelsd(&rows, &columns, &sides, call.a, &a_pitch, call.b, &b_pitch, call.singular_values, &rcond, &rank,
                       call.work, &work_count, call.integers, &info);
      break;
    case LeastSquares::Driver::kGelss:
      Routines::kGelss(&rows, &columns, &sides, call.a, &a_pitch, call.b, &b_pitch, call.singular_values, &rcond, &rank,
                       call.work, &work_count, &info);
      break;
  }
  if (call.rank != nullptr) *call.rank = rank;
  return static_cast<int>(info);
}

template int CallDriver(const LeastSquares&, const DriverCall<float>&);
template int CallDriver(const LeastSquares&, const DriverCall<double>&);

}  // namespace kuiper_infer::kernel

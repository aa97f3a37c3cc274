// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/least_squares.hpp"

#include <algorithm>
#include <limits>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/least_squares_drivers.hpp"

namespace kuiper_infer::kernel {
namespace {

using Driver = LeastSquares::Driver;

/// The arrays of a call of LAPACK: A, B, which the driver replaces by the solution, and scratch memory.
template <class T>
struct LeastSquaresBuffers : ScratchParts {
  LeastSquaresBuffers(const LeastSquares& problem, std::byte* memory)
      : ScratchParts(memory), height(std::max(problem.rows, problem.columns)) {
    const int64_t least = std::min(problem.rows, problem.columns);
    call.a = Take<T>(problem.rows * problem.columns);
    call.b = Take<T>(height * problem.sides);
    call.singular_values = Take<T>(least);
    T answer(1);
    LapackInt integers = 1;
    CallDriver(problem, DriverCall<T>{nullptr, nullptr, nullptr, &answer, -1, &integers, nullptr});
    call.work_count = lapack::WorkCount(answer);
    call.work = Take<T>(call.work_count);
    call.integers = Take<LapackInt>(std::max<int64_t>(integers, problem.columns));
  }

  int64_t height;
  DriverCall<T> call;
};

/// The sums of squares of the elements that the drivers leave behind each column of the solution.
template <class T>
void SumResiduals(const LeastSquares& problem, bool full_rank, const T* b, T* residuals) {
  for (int64_t j = 0; j < problem.sides; ++j) {
    const T* column = b + j * problem.rows;
    T sum(0);
    for (int64_t i = problem.columns; i < problem.rows; ++i) sum += column[i] * column[i];
    residuals[j] = full_rank ? sum : std::numeric_limits<T>::quiet_NaN();
  }
}

}  // namespace

template <class T>
int64_t LeastSquaresScratch(const LeastSquares& problem) {
  return LeastSquaresBuffers<T>(problem, nullptr).bytes();
}

template <class T>
int SolveLeastSquares(const LeastSquares& problem, const T* a, const T* b, const LeastSquaresResults<T>& results,
                      std::byte* scratch) {
  const int64_t least = std::min(problem.rows, problem.columns);
  int64_t rank = 0;
  if (least == 0) {
    std::fill_n(results.solution, problem.columns * problem.sides, T(0));
    if (results.residuals != nullptr) std::fill_n(results.residuals, problem.sides, T(0));  // as PyTorch says
  } else {
    if (!AllFinite(problem.rows * problem.columns, a) || !AllFinite(problem.rows * problem.sides, b)) return 1;
    LeastSquaresBuffers<T> buffers(problem, scratch);
    ToColumns(problem.rows, problem.columns, a, buffers.call.a);
    ToColumns(problem.rows, problem.sides, b, problem.sides, buffers.call.b, buffers.height);
    std::fill_n(buffers.call.integers, problem.columns, 0);
    buffers.call.rank = &rank;
    const int info = CallDriver(problem, buffers.call);
    if (info != 0) return info;
    ToRows(problem.columns, problem.sides, buffers.call.b, buffers.height, results.solution);
    if (results.singular_values != nullptr) {
      std::copy_n(buffers.call.singular_values, least, results.singular_values);
    }
    if (results.residuals != nullptr) {
      const bool full_rank = problem.driver == Driver::kGels || rank == problem.columns;
      SumResiduals(problem, full_rank, buffers.call.b, results.residuals);
    }
  }
  if (results.rank != nullptr) *results.rank = rank;
  return 0;
}

#define KUIPER_INSTANTIATE(T)                                   \
  template int64_t LeastSquaresScratch<T>(const LeastSquares&); \
  template int SolveLeastSquares(const LeastSquares&, const T*, const T*, const LeastSquaresResults<T>&, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

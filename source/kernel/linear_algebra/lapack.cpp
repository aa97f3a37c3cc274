// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/linear_algebra/lapack_routines.hpp"
#include "kernel/product/openblas_scope.hpp"

namespace kuiper_infer::kernel::lapack {
namespace {

/// A number as Fortran takes it: by address.
struct Number {
  explicit Number(int64_t number) : value(static_cast<blasint>(number)) {}
  operator const blasint*() const { return &value; }  // NOLINT(google-explicit-constructor): written for this
  blasint value;
};

/// A leading dimension, which is at least 1.
struct Leading : Number {
  explicit Leading(int64_t rows) : Number(std::max<int64_t>(rows, 1)) {}
};

/// Makes a call of LAPACK and returns the info that it writes.
template <class Call>
int Info(const Call& call) {
  const OpenBlasScope scope;
  blasint info = 0;
  call(&info);
  return static_cast<int>(info);
}

}  // namespace

template <class T>
int64_t WorkCount(T answer) {
  return static_cast<int64_t>(std::nextafter(answer, std::numeric_limits<T>::max())) + 1;
}

template <class T>
int Potrf(char triangle, int64_t n, T* a) {
  return Info([&](blasint* info) { Routines<T>::kPotrf(&triangle, Number(n), a, Leading(n), info, 1); });
}

template <class T>
int Getrf(int64_t rows, int64_t columns, T* a, LapackInt* pivots) {
  return Info(
      [&](blasint* info) { Routines<T>::kGetrf(Number(rows), Number(columns), a, Leading(rows), pivots, info); });
}

template <class T>
int Geqrf(int64_t rows, int64_t columns, T* a, T* tau, T* work, int64_t work_count) {
  return Info([&](blasint* info) {
    Routines<T>::kGeqrf(Number(rows), Number(columns), a, Leading(rows), tau, work, Number(work_count), info);
  });
}

template <class T>
int Orgqr(int64_t rows, int64_t columns, int64_t count, T* a, const T* tau, T* work, int64_t work_count) {
  return Info([&](blasint* info) {
    Routines<T>::kOrgqr(Number(rows), Number(columns), Number(count), a, Leading(rows), tau, work, Number(work_count),
                        info);
  });
}

template <class T>
int Ormqr(char side, char transposed, int64_t rows, int64_t columns, int64_t count, const T* a, const T* tau, T* c,
          T* work, int64_t work_count) {
  return Info([&](blasint* info) {
    Routines<T>::kOrmqr(&side, &transposed, Number(rows), Number(columns), Number(count), a,
                        Leading(side == 'L' ? rows : columns), tau, c, Leading(rows), work, Number(work_count), info, 1,
                        1);
  });
}

template <class T>
int Gesdd(char job, int64_t rows, int64_t columns, T* a, T* s, T* u, T* vt, T* work, int64_t work_count,
          LapackInt* integers) {
  const int64_t vt_rows = job == 'A' ? columns : std::min(rows, columns);
  return Info([&](blasint* info) {
    Routines<T>::kGesdd(&job, Number(rows), Number(columns), a, Leading(rows), s, u, Leading(rows), vt,
                        Leading(vt_rows), work, Number(work_count), integers, info, 1);
  });
}

template <class T>
int Syevd(char job, char triangle, int64_t n, T* a, T* values, T* work, int64_t work_count, LapackInt* integers,
          int64_t integer_count) {
  return Info([&](blasint* info) {
    Routines<T>::kSyevd(&job, &triangle, Number(n), a, Leading(n), values, work, Number(work_count), integers,
                        Number(integer_count), info, 1, 1);
  });
}

template <class T>
int Geev(bool wants_vectors, int64_t n, T* a, T* real, T* imaginary, T* vectors, T* work, int64_t work_count) {
  const char right = wants_vectors ? 'V' : 'N';
  return Info([&](blasint* info) {
    Routines<T>::kGeev("N", &right, Number(n), a, Leading(n), real, imaginary, nullptr, Leading(1), vectors, Leading(n),
                       work, Number(work_count), info, 1, 1);
  });
}

KUIPER_INSTANTIATE_LAPACK(float)
KUIPER_INSTANTIATE_LAPACK(double)

}  // namespace kuiper_infer::kernel::lapack

// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/eigen.hpp"

#include <algorithm>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lapack.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
struct SymmetricBuffers : ScratchParts {
  SymmetricBuffers(int64_t n, bool wants_vectors, std::byte* memory)
      : ScratchParts(memory), job(wants_vectors ? 'V' : 'N'), a(Take<T>(n * n)) {
    T answer(1);
    LapackInt integer_answer = 1;
    lapack::Syevd<T>(job, 'L', n, nullptr, nullptr, &answer, -1, &integer_answer, -1);
    work_count = lapack::WorkCount(answer);
    work = Take<T>(work_count);
    integer_count = integer_answer;
    integers = Take<LapackInt>(integer_count);
  }

  char job;
  T* a;
  T* work;
  int64_t work_count;
  LapackInt* integers;
  int64_t integer_count;
};

template <class T>
struct EigenBuffers : ScratchParts {
  EigenBuffers(int64_t n, bool wants_vectors, std::byte* memory)
      : ScratchParts(memory),
        a(Take<T>(n * n)),
        vectors(Take<T>(wants_vectors ? n * n : 0)),
        real(Take<T>(n)),
        imaginary(Take<T>(n)) {
    T answer(1);
    lapack::Geev<T>(wants_vectors, n, nullptr, nullptr, nullptr, nullptr, &answer, -1);
    work_count = lapack::WorkCount(answer);
    work = Take<T>(work_count);
  }

  T* a;
  T* vectors;
  T* real;
  T* imaginary;
  T* work;
  int64_t work_count;
};

/// LAPACK gives the vectors of two conjugate eigenvalues as a real and an imaginary column.
template <class T>
void JoinParts(int64_t n, const T* parts, const std::complex<T>* values, std::complex<T>* vectors) {
  for (int64_t j = 0; j < n; ++j) {
    const bool pair = values[j].imag() != T(0);
    for (int64_t i = 0; i < n; ++i) {
      const std::complex<T> element(parts[j * n + i], pair ? parts[(j + 1) * n + i] : T(0));
      vectors[i * n + j] = element;
      if (pair) vectors[i * n + j + 1] = std::conj(element);
    }
    if (pair) ++j;
  }
}

}  // namespace

template <class T>
int64_t SymmetricEigenScratch(int64_t n, bool wants_vectors) {
  return SymmetricBuffers<T>(n, wants_vectors, nullptr).bytes();
}

template <class T>
int SymmetricEigen(int64_t n, bool upper, const T* a, T* values, T* vectors, std::byte* scratch) {
  if (n == 0) return 0;
  const SymmetricBuffers<T> buffers(n, vectors != nullptr, scratch);
  ToColumns(n, n, a, buffers.a);
  for (int64_t j = 0; j < n; ++j) {
    const T* column = buffers.a + j * n;
    if (!AllFinite(upper ? j + 1 : n - j, upper ? column : column + j)) return 1;
  }
  const int info = lapack::Syevd(buffers.job, upper ? 'U' : 'L', n, buffers.a, values, buffers.work, buffers.work_count,
                                 buffers.integers, buffers.integer_count);
  if (vectors != nullptr) ToRows(n, n, buffers.a, vectors);
  return info;
}

template <class T>
int64_t EigenScratch(int64_t n, bool wants_vectors) {
  return EigenBuffers<T>(n, wants_vectors, nullptr).bytes();
}

template <class T>
int Eigen(int64_t n, const T* a, std::complex<T>* values, std::complex<T>* vectors, std::byte* scratch) {
  if (!AllFinite(n * n, a)) return 1;
  const bool wants_vectors = vectors != nullptr;
  const EigenBuffers<T> buffers(n, wants_vectors, scratch);
  ToColumns(n, n, a, buffers.a);
  const int info = lapack::Geev(wants_vectors, n, buffers.a, buffers.real, buffers.imaginary, buffers.vectors,
                                buffers.work, buffers.work_count);
  if (info != 0) return info;
  for (int64_t i = 0; i < n; ++i) values[i] = {buffers.real[i], buffers.imaginary[i]};
  if (wants_vectors) JoinParts(n, buffers.vectors, values, vectors);
  return 0;
}

#define KUIPER_INSTANTIATE(T)                                               \
  template int64_t SymmetricEigenScratch<T>(int64_t, bool);                 \
  template int SymmetricEigen(int64_t, bool, const T*, T*, T*, std::byte*); \
  template int64_t EigenScratch<T>(int64_t, bool);                          \
  template int Eigen(int64_t, const T*, std::complex<T>*, std::complex<T>*, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

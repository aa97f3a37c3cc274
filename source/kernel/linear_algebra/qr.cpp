// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/qr.hpp"

#include <algorithm>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lapack.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A column-major matrix and LAPACK's scratch memory, enough for a factorisation and for its Q.
template <class T>
struct QrBuffers : ScratchParts {
  QrBuffers(int64_t rows, int64_t columns, std::byte* memory) : ScratchParts(memory), a(Take<T>(rows * columns)) {
    T most(1);
    lapack::Geqrf<T>(rows, columns, nullptr, nullptr, &most, -1);
    T other(1);
    const int64_t count = std::min(rows, columns);
    lapack::Orgqr<T>(rows, count, count, nullptr, nullptr, &other, -1);
    work_count = lapack::WorkCount(std::max(most, other));
    work = Take<T>(work_count);
  }

  T* a;
  T* work;
  int64_t work_count;
};

template <class T>
struct ReflectorBuffers : ScratchParts {
  ReflectorBuffers(const ReflectorSide& given, int64_t rows, int64_t columns, int64_t count, std::byte* memory)
      : ScratchParts(memory),
        side(given.left ? 'L' : 'R'),
        transposed(given.transposed ? 'T' : 'N'),
        order(given.left ? rows : columns),
        c(Take<T>(rows * columns)),
        reflectors(Take<T>(order * count)) {
    T most(1);
    lapack::Ormqr<T>(side, transposed, rows, columns, count, nullptr, nullptr, nullptr, &most, -1);
    work_count = lapack::WorkCount(most);
    work = Take<T>(work_count);
  }

  char side;
  char transposed;
  int64_t order;
  T* c;
  T* reflectors;
  T* work;
  int64_t work_count;
};

}  // namespace

template <class T>
int64_t QrScratch(int64_t rows, int64_t columns) {
  return QrBuffers<T>(rows, columns, nullptr).bytes();
}

template <class T>
void QrFactor(int64_t rows, int64_t columns, const T* a, T* qr, T* tau, std::byte* scratch) {
  const QrBuffers<T> buffers(rows, columns, scratch);
  ToColumns(rows, columns, a, buffers.a);
  lapack::Geqrf(rows, columns, buffers.a, tau, buffers.work, buffers.work_count);
  ToRows(rows, columns, buffers.a, qr);
}

template <class T>
void ReflectorProduct(int64_t rows, int64_t given, int64_t count, int64_t width, const T* qr, const T* tau, T* q,
                      std::byte* scratch) {
  if (count == 0) {
    FillIdentity(rows, width, q);
    return;
  }
  const QrBuffers<T> buffers(rows, std::max(given, width), scratch);
  ToColumns(rows, std::min(given, width), qr, given, buffers.a, rows);
  lapack::Orgqr(rows, width, count, buffers.a, tau, buffers.work, buffers.work_count);
  ToRows(rows, width, buffers.a, q);
}

template <class T>
int64_t ReflectorScratch(const ReflectorSide& side, int64_t rows, int64_t columns, int64_t count) {
  return ReflectorBuffers<T>(side, rows, columns, count, nullptr).bytes();
}

template <class T>
void MultiplyByReflectors(const ReflectorSide& side, int64_t rows, int64_t columns, int64_t count, const T* qr,
                          const T* tau, const T* c, T* product, std::byte* scratch) {
  const ReflectorBuffers<T> buffers(side, rows, columns, count, scratch);
  ToColumns(rows, columns, c, buffers.c);
  ToColumns(buffers.order, count, qr, buffers.reflectors);
  lapack::Ormqr(buffers.side, buffers.transposed, rows, columns, count, buffers.reflectors, tau, buffers.c,
                buffers.work, buffers.work_count);
  ToRows(rows, columns, buffers.c, product);
}

#define KUIPER_INSTANTIATE(T)                                                                                       \
  template int64_t QrScratch<T>(int64_t, int64_t);                                                                  \
  template void QrFactor(int64_t, int64_t, const T*, T*, T*, std::byte*);                                           \
  template void ReflectorProduct(int64_t, int64_t, int64_t, int64_t, const T*, const T*, T*, std::byte*);           \
  template int64_t ReflectorScratch<T>(const ReflectorSide&, int64_t, int64_t, int64_t);                            \
  template void MultiplyByReflectors(const ReflectorSide&, int64_t, int64_t, int64_t, const T*, const T*, const T*, \
                                     T*, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

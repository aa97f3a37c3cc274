// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/svd.hpp"

#include <algorithm>

#include "kernel/linear_algebra/column_major.hpp"
#include "kernel/linear_algebra/lapack.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
struct SvdBuffers : ScratchParts {
  SvdBuffers(const Svd& svd, std::byte* memory)
      : ScratchParts(memory),
        job(svd.vectors == Svd::Vectors::kNone      ? 'N'
            : svd.vectors == Svd::Vectors::kReduced ? 'S'
                                                    : 'A'),
        count(std::min(svd.rows, svd.columns)),
        u_columns(job == 'A' ? svd.rows : count),
        vt_rows(job == 'A' ? svd.columns : count),
        a(Take<T>(svd.rows * svd.columns)),
        u(Take<T>(job == 'N' ? 0 : svd.rows * u_columns)),
        vt(Take<T>(job == 'N' ? 0 : vt_rows * svd.columns)),
        integers(Take<LapackInt>(8 * count)) {
    T answer(1);
    lapack::Gesdd<T>(job, svd.rows, svd.columns, nullptr, nullptr, nullptr, nullptr, &answer, -1, nullptr);
    work_count = lapack::WorkCount(answer);
    work = Take<T>(work_count);
  }

  char job;
  int64_t count;
  int64_t u_columns;
  int64_t vt_rows;
  T* a;
  T* u;
  T* vt;
  LapackInt* integers;
  T* work;
  int64_t work_count;
};

}  // namespace

template <class T>
int64_t SvdScratch(const Svd& svd) {
  return SvdBuffers<T>(svd, nullptr).bytes();
}

template <class T>
int SingularValues(const Svd& svd, const T* a, T* u, T* s, T* vt, std::byte* scratch) {
  const SvdBuffers<T> buffers(svd, scratch);
  if (buffers.count == 0) {
    if (buffers.job == 'N') return 0;
    FillIdentity(svd.rows, buffers.u_columns, u);
    FillIdentity(buffers.vt_rows, svd.columns, vt);
    return 0;
  }
  if (!AllFinite(svd.rows * svd.columns, a)) return 1;
  ToColumns(svd.rows, svd.columns, a, buffers.a);
  const int info = lapack::Gesdd(buffers.job, svd.rows, svd.columns, buffers.a, s, buffers.u, buffers.vt, buffers.work,
                                 buffers.work_count, buffers.integers);
  if (buffers.job != 'N') {
    ToRows(svd.rows, buffers.u_columns, buffers.u, u);
    ToRows(buffers.vt_rows, svd.columns, buffers.vt, vt);
  }
  return info;
}

#define KUIPER_INSTANTIATE(T)                     \
  template int64_t SvdScratch<T>(const Svd& svd); \
  template int SingularValues(const Svd&, const T*, T*, T*, T*, std::byte*);
KUIPER_INSTANTIATE(float)
KUIPER_INSTANTIATE(double)
#undef KUIPER_INSTANTIATE

}  // namespace kuiper_infer::kernel

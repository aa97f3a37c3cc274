// SPDX-License-Identifier: MIT
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace kuiper_infer::kernel {

/// The right to call OpenBLAS: whatever calls it, directly or through LAPACK, does so while an OpenBlasScope lives.
/// OpenBLAS works with the calling thread alone then; kernels share its work by calling it for parts of a product.
/// With threads of its own, calls by several threads at once would get wrong numbers, and each call would wait for
/// threads that the system has put aside. Without OpenMP's library it is OpenBLAS's serial build, which needs no order.
class OpenBlasScope {
 public:
#ifdef _OPENMP
  OpenBlasScope() : former_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OpenBlasScope() { omp_set_num_threads(former_); }
#else
  OpenBlasScope() {}
  ~OpenBlasScope() {}
#endif
  OpenBlasScope(const OpenBlasScope&) = delete;
  OpenBlasScope& operator=(const OpenBlasScope&) = delete;

#ifdef _OPENMP
 private:
  int former_;
#endif
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "utils/threads/thread_count.hpp"

namespace kuiper_infer::kernel {

/// The right to call OpenBLAS: whatever calls it, directly or through LAPACK, does so while an OpenBlasScope lives.
/// OpenBLAS works with the calling thread alone then; kernels share its work by calling it for parts of a product.
/// With threads of its own, calls by several threads at once would get wrong numbers, and each call would wait for
/// threads that the system has put aside. Without OpenMP's library it is OpenBLAS's serial build, which needs no order.
class OpenBlasScope {
 public:
  OpenBlasScope() : former_(SetOpenMpThreads(1)) {}
  ~OpenBlasScope() { SetOpenMpThreads(former_); }
  OpenBlasScope(const OpenBlasScope&) = delete;
  OpenBlasScope& operator=(const OpenBlasScope&) = delete;

 private:
  int former_;
};

}  // namespace kuiper_infer::kernel

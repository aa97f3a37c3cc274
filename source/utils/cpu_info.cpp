// SPDX-License-Identifier: MIT
#include "utils/cpu_info.hpp"

#include <unistd.h>

namespace kuiper_infer {

const char* IsaName() {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx512f") != 0) return "avx512";
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return "avx2";
  if (__builtin_cpu_supports("sse4.2") != 0) return "sse4";
#endif
  return "generic";
}

int64_t PhysicalMemoryBytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
}

}  // namespace kuiper_infer

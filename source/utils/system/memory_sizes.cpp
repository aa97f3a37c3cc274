// SPDX-License-Identifier: MIT
#include "utils/system/memory_sizes.hpp"

#include <unistd.h>

namespace kuiper_infer {

int64_t FindSecondLevelCache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  return sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
  return 0;
#endif
}

int64_t FindPhysicalMemory() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES);
  const int64_t page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
}

}  // namespace kuiper_infer

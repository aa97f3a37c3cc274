// SPDX-License-Identifier: MIT
#include "utils/system/memory_sizes.hpp"
#include "utils/system/processor_list_windows.hpp"

namespace kuiper_infer {

int64_t FindSecondLevelCache() {
  constexpr int kSecond = 2;
  for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& entry : ProcessorList()) {
    if (entry.Relationship == RelationCache && entry.Cache.Level == kSecond) return entry.Cache.Size;
  }
  return 0;
}

int64_t FindPhysicalMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  return GlobalMemoryStatusEx(&status) != 0 ? static_cast<int64_t>(status.ullTotalPhys) : 0;
}

}  // namespace kuiper_infer

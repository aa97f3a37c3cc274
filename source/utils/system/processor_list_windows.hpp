// SPDX-License-Identifier: MIT
#pragma once

#include <vector>
#include <windows.h>

namespace kuiper_infer {

/// Windows' list of the machine's cores and caches; empty if it can't be read.
inline std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> ProcessorList() {
  DWORD bytes = 0;
  GetLogicalProcessorInformation(nullptr, &bytes);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> list(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (GetLogicalProcessorInformation(list.data(), &bytes) == 0) list.clear();
  return list;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "utils/system/processor_list_windows.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {
namespace {

/// Cores that hold a processor of the process's mask.
int CountCoresOfMask() {
  DWORD_PTR process = 0;
  DWORD_PTR system = 0;
  if (GetProcessAffinityMask(GetCurrentProcess(), &process, &system) == 0) return 1;
  int cores = 0;
  for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& entry : ProcessorList()) {
    if (entry.Relationship == RelationProcessorCore && (entry.ProcessorMask & process) != 0) ++cores;
  }
  return std::max(cores, 1);
}

}  // namespace

int UsableCores() {
  static const int kCores = CountCoresOfMask();
  return kCores;
}

}  // namespace kuiper_infer

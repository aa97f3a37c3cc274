// SPDX-License-Identifier: MIT
// clang-format off
#include <windows.h>
#include <psapi.h>  // needs what windows.h declares
// clang-format on

#include "cli/machine.hpp"

namespace kuiper_infer::cli {

std::string CpuName() {
  char name[256] = {};
  DWORD bytes = sizeof(name);
  const char* const key = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
  const LSTATUS status =
      RegGetValueA(HKEY_LOCAL_MACHINE, key, "ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &bytes);
  return status == ERROR_SUCCESS ? name : "";
}

double PeakMebibytes() {
  PROCESS_MEMORY_COUNTERS counters{};
  counters.cb = sizeof(counters);
  if (GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters)) == 0) return 0;
  return static_cast<double>(counters.PeakWorkingSetSize) / 1048576.0;
}

}  // namespace kuiper_infer::cli

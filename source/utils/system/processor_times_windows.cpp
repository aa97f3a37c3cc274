// SPDX-License-Identifier: MIT
#include <windows.h>

#include "utils/system/processor_times.hpp"

namespace kuiper_infer {
namespace {

double Seconds(const FILETIME& time) {
  constexpr double kUnit = 1e-7;
  constexpr double kHigh = 4294967296.0;
  return (static_cast<double>(time.dwHighDateTime) * kHigh + static_cast<double>(time.dwLowDateTime)) * kUnit;
}

}  // namespace

std::optional<ProcessorSeconds> ReadProcessorSeconds() {
  FILETIME idle;
  FILETIME kernel;  // with the idle time
  FILETIME user;
  if (GetSystemTimes(&idle, &kernel, &user) == 0) return std::nullopt;
  return ProcessorSeconds{Seconds(kernel) + Seconds(user) - Seconds(idle), 0};
}

double OwnSeconds() {
  FILETIME created;
  FILETIME ended;
  FILETIME kernel;
  FILETIME user;
  if (GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user) == 0) return 0;
  return Seconds(kernel) + Seconds(user);
}

double LoadAverage() { return 0; }

}  // namespace kuiper_infer

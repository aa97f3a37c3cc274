// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kuiper_infer {

/// What else a machine did while something was measured.
struct MachineLoad {
  double load_average = 0;  ///< of the last minute: threads that ran or waited for a processor
  double others = 0;        ///< processors that other programs kept busy, on average
  double stolen = 0;        ///< processors that the host of a virtual machine gave to others, on average
};

/// Seconds of all processors together since the machine's start.
struct ProcessorSeconds {
  double busy = 0;    ///< of programs and the kernel
  double stolen = 0;  ///< taken by the host
};

/// Reads the first line of /proc/stat; nothing where the text is another.
std::optional<ProcessorSeconds> ParseProcessorSeconds(const std::string& stat, double ticks_per_second);

/// Measures the machine's load from its construction on.
class LoadWatch {
 public:
  LoadWatch();

  /// The load so far; nothing where the system does not tell (Linux's /proc/stat).
  std::optional<MachineLoad> Load() const;

 private:
  std::chrono::steady_clock::time_point start_;
  std::optional<ProcessorSeconds> before_;
  double own_before_;
};

}  // namespace kuiper_infer

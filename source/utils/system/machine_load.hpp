// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace kuiper_infer {

/// The other load of a machine during a measurement.
struct MachineLoad {
  double load_average = 0;  ///< threads that ran or waited for a processor, on average over the last minute
  double others = 0;        ///< processors that other programs kept busy, on average
  double stolen = 0;        ///< processors that the host of a virtual machine gave to other machines, on average
};

/// Seconds of all processors together since the machine's start.
struct ProcessorSeconds {
  double busy = 0;    ///< spent in programs and the kernel
  double stolen = 0;  ///< taken by the host of a virtual machine
};

/// Reads the first line of /proc/stat; returns nothing if the text has another format.
std::optional<ProcessorSeconds> ParseProcessorSeconds(const std::string& stat, double ticks_per_second);

/// Measures the machine's load from its construction on.
class LoadWatch {
 public:
  LoadWatch();

  /// The load so far; nothing if the system does not tell of its processors.
  std::optional<MachineLoad> Load() const;

 private:
  std::chrono::steady_clock::time_point start_;
  std::optional<ProcessorSeconds> before_;
  double own_before_;
};

}  // namespace kuiper_infer

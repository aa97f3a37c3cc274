// SPDX-License-Identifier: MIT
#include "utils/system/machine_load.hpp"

#include <algorithm>
#include <sstream>

#include "utils/system/processor_times.hpp"

namespace kuiper_infer {
std::optional<ProcessorSeconds> ParseProcessorSeconds(const std::string& stat, double ticks_per_second) {
  std::istringstream text(stat);
  std::string word;
  if (!(text >> word) || word != "cpu") return std::nullopt;
  enum Column { kUser, kNice, kSystem, kIdle, kIoWait, kIrq, kSoftIrq, kSteal, kColumns };
  double ticks[kColumns] = {};
  for (double& column : ticks) {
    if (!(text >> column)) return std::nullopt;
  }
  const double busy = ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kIrq] + ticks[kSoftIrq];
  return ProcessorSeconds{busy / ticks_per_second, ticks[kSteal] / ticks_per_second};
}

LoadWatch::LoadWatch()
    : start_(std::chrono::steady_clock::now()), before_(ReadProcessorSeconds()), own_before_(OwnSeconds()) {}

std::optional<MachineLoad> LoadWatch::Load() const {
  const std::optional<ProcessorSeconds> now = ReadProcessorSeconds();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (!before_ || !now || seconds <= 0) return std::nullopt;
  MachineLoad load;
  // The kernel counts in ticks, so that a short time may seem to have less than this process has used.
  load.others = std::max(0.0, now->busy - before_->busy - (OwnSeconds() - own_before_)) / seconds;
  load.stolen = std::max(0.0, now->stolen - before_->stolen) / seconds;
  load.load_average = LoadAverage();
  return load;
}

}  // namespace kuiper_infer

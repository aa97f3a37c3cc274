// SPDX-License-Identifier: MIT
#include "utils/system/processor_times.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

#include <sys/resource.h>

namespace kuiper_infer {

std::optional<ProcessorSeconds> ReadProcessorSeconds() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return ParseProcessorSeconds(line, static_cast<double>(sysconf(_SC_CLK_TCK)));
}

double OwnSeconds() {
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(own.ru_utime) + seconds(own.ru_stime);
}

double LoadAverage() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

}  // namespace kuiper_infer

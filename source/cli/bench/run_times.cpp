// SPDX-License-Identifier: MIT
#include "cli/bench/run_times.hpp"

#include <cmath>
#include <cstdio>
#include <unistd.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {

double MillisecondsSince(BenchClock::time_point start) {
  return std::chrono::duration<double, std::milli>(BenchClock::now() - start).count();
}

bool RanToItsEnd(FunctionRef<void()> run) {
  try {
    run();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    return false;
  }
}

std::vector<double> TimeRuns(FunctionRef<void()> run, std::size_t fewest, double seconds, const CancelToken& cancel) {
  std::vector<double> times;
  const BenchClock::time_point start = BenchClock::now();
  while (!cancel.cancelled() && (times.size() < fewest || MillisecondsSince(start) < seconds * 1e3)) {
    const BenchClock::time_point run_start = BenchClock::now();
    if (!RanToItsEnd(run)) break;
    times.push_back(MillisecondsSince(run_start));
  }
  return times;
}

double Quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[rank == 0 ? 0 : rank - 1];
}

std::string NoteOnLoad(const MachineLoad& load, double seconds, int processors, double spread) {
  constexpr double kShortest = 0.5;    // seconds; the system counts processors' time in hundredths of one
  constexpr double kBusyShare = 0.05;  // of the processors
  constexpr double kWide = 0.5;
  if (seconds < kShortest) return "";
  std::string note;
  char text[200];
  if (load.others + load.stolen > kBusyShare * processors) {
    std::snprintf(text, sizeof(text),
                  "other programs kept %.2f of %d processors busy, the host took %.2f (steal); load average %.1f",
                  load.others, processors, load.stolen, load.load_average);
    note = text;
  }
  if (spread > kWide) {
    std::snprintf(text, sizeof(text), "slow runs took %.1f times as long as fast ones", 1 + spread);
    note += (note.empty() ? "" : "; ") + std::string(text);
  }
  return note.empty() ? note : "note: " + note + ". Measure again on a machine at rest.";
}

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/run_options.hpp"
#include "utils/function_ref.hpp"
#include "utils/system/machine_load.hpp"

namespace kuiper_infer::cli {

using BenchClock = std::chrono::steady_clock;

double MillisecondsSince(BenchClock::time_point start);

/// Calls `run` at least `fewest` times, and then until `seconds` have passed. Returns the milliseconds of each run in
/// order; there are fewer if `cancel` was requested.
std::vector<double> TimeRuns(FunctionRef<void()> run, std::size_t fewest, double seconds, const CancelToken& cancel);

/// Calls `run`. Returns false if a CancelToken stopped it, otherwise true.
bool RanToItsEnd(FunctionRef<void()> run);

/// The value at or below which this share of the sorted values lies (nearest rank); 0 if there are no values.
double Quantile(const std::vector<double>& sorted, double share);

/// A note for readers of timings if other programs computed meanwhile or if runs differ much. Empty if neither is so,
/// or if the measured time is too short to tell. `spread` says how much longer slow runs took than fast ones: 0.5 means
/// one and a half times as long.
std::string NoteOnLoad(const MachineLoad& load, double seconds, int processors, double spread);

}  // namespace kuiper_infer::cli

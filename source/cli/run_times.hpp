// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/run_options.hpp"
#include "utils/function_ref.hpp"
#include "utils/machine_load.hpp"

namespace kuiper_infer::cli {

using BenchClock = std::chrono::steady_clock;

double MillisecondsSince(BenchClock::time_point start);

/// Runs `run` again and again: `fewest` times at least, then until `seconds` have passed. Returns the milliseconds of
/// each run, in order; fewer of them where `cancel` was requested.
std::vector<double> TimeRuns(FunctionRef<void()> run, std::size_t fewest, double seconds, const CancelToken& cancel);

/// Calls `run` and returns true; false where the run was stopped by a CancelToken.
bool RanToItsEnd(FunctionRef<void()> run);

/// The value at or below which this share of the sorted values lies (nearest rank); 0 where there are none.
double Quantile(const std::vector<double>& sorted, double share);

/// What a reader of timings should know: that others computed meanwhile, or that runs differ much. Empty where there is
/// nothing to say, or the time is too short for it. `spread` is how much slower than the fast runs the slow ones were,
/// 0.5 standing for one and a half times the time.
std::string NoteOnLoad(const MachineLoad& load, double seconds, int processors, double spread);

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "utils/function_ref.hpp"

namespace kuiper_infer {

/// Helpers: threads of the library that do parts of other threads' work. One set of them serves all threads of the
/// process that ask for help, since there are only so many cores; it grows with the demand, up to one thread for each
/// core or to what one caller asks for, and never waits for a thread that has nothing to do. Helpers sleep when nobody
/// needs them, for a moment after they watch for work; they block all signals.
///
/// Where a thread cannot be started there are fewer helpers, down to none, and the callers do the work. In a child made
/// by fork helpers are started anew. They end when the library is unloaded, or with the process.

/// The most threads that work for one caller, itself included. Whatever number a program, OMP_NUM_THREADS or a machine
/// asks for, no more than so many are counted on.
constexpr int kMostThreads = 256;

/// Calls work(0) on the calling thread and, on helpers that are free meanwhile, work(1), work(2), ... up to
/// work(seats - 1), each at most once. Returns when work(0) and all that had begun by its end are over: calls that had
/// not begun are left out, so that work(0) alone must do everything that nobody else has taken. Helpers compute in the
/// caller's floating-point mode. Within `work`, and with one seat, work(0) is called alone. An
/// exception of work(0) passes to the caller when the others are over; those of helpers end the process.
void RunInTeam(int seats, FunctionRef<void(int seat)> work);

/// Whether the calling thread is inside of RunInTeam's work, where no further team is formed.
bool InTeam();

/// Starts helpers ahead of the first call. How many threads, the calling one included, can work at once now: `wanted`,
/// at most kMostThreads, or fewer where the process can't have so many.
int PrepareTeam(int wanted);

}  // namespace kuiper_infer

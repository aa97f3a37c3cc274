// SPDX-License-Identifier: MIT
#pragma once

#include "utils/function_ref.hpp"

namespace kuiper_infer {

/// Helpers: threads of the library that do parts of other threads' work. One pool of them serves all threads of the
/// process, because the number of cores is limited. The pool grows with the demand, up to one thread for each core or
/// to the number that one caller asks for. After a helper has worked it watches for more work for a moment, then it
/// sleeps. Helpers block all signals.
///
/// If a thread cannot be started, there are fewer helpers, down to none, and the callers do the work. In a child
/// process made by fork, helpers are started anew. Helpers end when the library is unloaded, or with the process.

/// The most threads that work for one caller, itself included. A larger number, given by a program, by OMP_NUM_THREADS
/// or by the machine, counts as this one.
constexpr int kMostThreads = 256;

/// Calls work(0) on the calling thread and, on helpers that are free meanwhile, work(1), work(2), ... up to
/// work(seats - 1), each at most once. A call that has not begun when work(0) ends is left out, so work(0) must do all
/// work that no helper has taken. Returns when work(0) and all calls that have begun are over. Helpers use the caller's
/// floating-point mode. Within `work`, and with one seat, only work(0) is called. If work(0) throws, the exception is
/// passed on when the calls on helpers are over; an exception on a helper ends the process.
void RunInTeam(int seats, FunctionRef<void(int seat)> work);

/// Whether the calling thread is inside of RunInTeam's work, where no further team is formed.
bool InTeam();

/// Starts helpers ahead of the first call. Returns how many threads, the calling one included, can work at once now:
/// `wanted`, limited to kMostThreads, or fewer if the process can't have so many threads.
int PrepareTeam(int wanted);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "run_call.hpp"

#include <algorithm>
#include <chrono>

#include "arrays.hpp"

namespace kuiper_infer::python {
namespace {

using Clock = std::chrono::steady_clock;

/// A moment of Python's time.monotonic, which is this clock's, in seconds.
std::optional<Clock::time_point> MomentOf(std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  constexpr double kFarthest = 9e9;
  if (*seconds >= kFarthest) return std::nullopt;
  return Clock::time_point(
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(*seconds, 0.0))));
}

}  // namespace

RunCall::RunCall(int threads, std::optional<double> deadline, const CancelToken* cancel, const nb::object& progress)
    : progress_(progress) {
  options_.num_threads = threads;
  options_.deadline = MomentOf(deadline);
  if (cancel != nullptr) options_.cancel = *cancel;
  if (progress_.is_none()) {
    options_.progress = [this](const RunProgress& /*done*/) { signals_.Look(); };
  } else {
    options_.progress = [this](const RunProgress& done) {
      const nb::gil_scoped_acquire acquire;
      progress_(done.done, done.total, Text(done.name), Text(done.type));  // runs handlers of signals as well
    };
  }
}

}  // namespace kuiper_infer::python

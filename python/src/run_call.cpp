// SPDX-License-Identifier: MIT
#include "run_call.hpp"

#include <algorithm>
#include <chrono>

#include "arrays.hpp"
#include "model_inputs.hpp"
#include "signal_check.hpp"

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

void RunWith(int threads, std::optional<double> deadline, const CancelToken* cancel, const nb::object& progress,
             const std::function<void(const RunOptions&)>& run) {
  RunOptions options;
  options.num_threads = threads;
  options.deadline = MomentOf(deadline);
  if (cancel != nullptr) options.cancel = *cancel;
  SignalCheck signals;
  if (progress.is_none()) {
    options.progress = [&signals](const RunProgress& /*done*/) { signals.Look(); };
  } else {
    options.progress = [&progress](const RunProgress& done) {
      const nb::gil_scoped_acquire acquire;
      progress(done.done, done.total, Text(done.name), Text(done.type));  // runs handlers of signals as well
    };
  }
  const nb::gil_scoped_release release;
  run(options);
}

nb::list RunOn(const Model& model, const nb::sequence& given, int threads, std::optional<double> deadline,
               const CancelToken* cancel, const nb::object& progress, const NamedRun& run) {
  const BorrowedArrays borrowed = BorrowInputs(model, given);
  std::vector<NdArray> outputs;
  RunWith(threads, deadline, cancel, progress,
          [&](const RunOptions& options) { outputs = run(NamedInputs(model, borrowed), options); });
  return NumpyArrays(outputs);
}

}  // namespace kuiper_infer::python

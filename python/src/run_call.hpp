// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "kuiper_infer/runtime/run_options.hpp"
#include "signal_check.hpp"

namespace kuiper_infer::python {

/// The options of a run that Python code asks for. During the run Python's handlers of signals are called, and
/// `progress`, unless it is None. `deadline` is a moment of Python's time.monotonic, in seconds. The object lives until
/// the run has ended, which releases the GIL.
class RunCall {
 public:
  RunCall(int threads, std::optional<double> deadline, const CancelToken* cancel, const nanobind::object& progress);
  RunCall(const RunCall&) = delete;
  RunCall& operator=(const RunCall&) = delete;

  const RunOptions& options() const { return options_; }

 private:
  SignalCheck signals_;
  nanobind::object progress_;
  RunOptions options_;
};

}  // namespace kuiper_infer::python

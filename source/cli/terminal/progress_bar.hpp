// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include "kuiper_infer/runtime/run_options.hpp"

namespace kuiper_infer::cli {

/// A line on standard error that grows while a run goes on; only on a terminal, and only for runs that take long.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void Show(const RunProgress& progress);

 private:
  const bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace kuiper_infer::cli

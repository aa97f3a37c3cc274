// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <optional>

#include "cli/terminal/signal_handler.hpp"
#include "kuiper_infer/runtime/run_options.hpp"

namespace kuiper_infer::cli {

/// The exit code of a program that Ctrl-C has ended, by the convention of shells.
constexpr int kInterruptedCode = 128 + SIGINT;

/// While the object lives, the first Ctrl-C (SIGINT) requests a stop instead of ending the program; the second one ends
/// it. If the program was started with SIGINT ignored, SIGINT stays ignored. There may be one object at a time, because
/// a signal handler can find its data only through a global variable.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// For RunOptions::cancel: runs end before their next step.
  const CancelToken& token() const { return token_; }
  bool requested() const { return token_.cancelled(); }

 private:
  CancelToken token_;
  std::optional<SignalHandler> handler_;
};

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cli/terminal/signal_handler.hpp"

namespace kuiper_infer::cli {

/// While the object lives, SIGINT, SIGTERM and, where it exists, SIGHUP are noted instead of ending the program, for
/// work that would leave files or processes behind. The destructor restores the former handlers and raises the signal
/// that was noted; objects that clean up must be destroyed before that. Signals that are ignored stay ignored. There
/// may be one object at a time, because a signal handler can find its data only through a global variable.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// The signal that was noted last; 0: none.
  int noted() const;

 private:
  std::vector<SignalHandler> handlers_;
};

}  // namespace kuiper_infer::cli

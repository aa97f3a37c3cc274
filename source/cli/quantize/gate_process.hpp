// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

#include "cli/terminal/held_signals.hpp"

namespace kuiper_infer::cli {

/// A program that runs in a process group of its own, without standard input. The group ends with the object at the
/// latest: first by a signal that programs can catch, and after a moment by SIGKILL.
class GateProcess {
 public:
  /// Throws Error if the program can't be started.
  explicit GateProcess(const std::vector<std::string>& command);
  ~GateProcess();
  GateProcess(const GateProcess&) = delete;
  GateProcess& operator=(const GateProcess&) = delete;

  /// Returns what the program prints until it ends. Throws Error if it prints more than `most_bytes`, runs for longer
  /// than `seconds`, ends with an error, or if a signal was noted meanwhile.
  std::string Output(std::size_t most_bytes, double seconds, const HeldSignals& signals);

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits a moment for a piece of output; returns false at the end of the output.
  bool ReadPiece(std::string& output);
  /// Whether the program has ended; its number stays taken until Reap.
  bool HasEnded() const;
  /// Ends the group and returns the program's status.
  int Reap(int signal);
  [[noreturn]] void Fail(const std::string& text) const;

  std::string program_;
  pid_t pid_ = 0;
  int output_ = -1;
};

}  // namespace kuiper_infer::cli

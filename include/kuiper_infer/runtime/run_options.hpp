// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kuiper_infer {

/// A request to stop. All copies of a token share the request. Any thread may call its functions at any time.
class CancelToken {
 public:
  /// Requests that the runs with this token stop.
  void Cancel() const { requested_->store(true, std::memory_order_relaxed); }
  /// Withdraws the request, so that the token can be used again.
  void Reset() const { requested_->store(false, std::memory_order_relaxed); }
  /// Whether a stop is requested.
  bool cancelled() const { return requested_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> requested_ = std::make_shared<std::atomic<bool>>(false);
};

/// How far a run has come.
struct RunProgress {
  std::size_t done;         ///< steps done so far; fused operators are one step, views are none
  std::size_t total;        ///< steps of the run
  const std::string& name;  ///< name of the operator that was done last
  const std::string& type;  ///< its type
};

/// Options of one run. Requests to stop are checked between steps. A step that has begun is finished, so a run ends
/// late by at most one operator.
struct RunOptions {
  int num_threads = 0;  ///< 0: the session's number or, if that is 0, the model's (BuildOptions::num_threads)
  std::optional<CancelToken> cancel;                              ///< if it is requested, Run throws Error(kCancelled)
  std::optional<std::chrono::steady_clock::time_point> deadline;  ///< if it has passed, Run throws Error(kDeadline)
  std::function<void(const RunProgress&)> progress;               ///< called after each step by the thread that runs
};

}  // namespace kuiper_infer

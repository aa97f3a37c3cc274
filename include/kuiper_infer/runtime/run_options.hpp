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

/// A request to stop. Copies share it; any thread may make it, at any time.
class CancelToken {
 public:
  void Cancel() const { requested_->store(true, std::memory_order_relaxed); }
  /// Withdraws it, so that the token can serve once more.
  void Reset() const { requested_->store(false, std::memory_order_relaxed); }
  bool cancelled() const { return requested_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> requested_ = std::make_shared<std::atomic<bool>>(false);
};

/// How far a run is.
struct RunProgress {
  std::size_t done;         ///< steps; an operator takes one, some none, joined ones one together
  std::size_t total;        ///< steps of the run
  const std::string& name;  ///< of the operator that was done last
  const std::string& type;  ///< its type
};

/// What holds for one run. Requests to stop are heeded between steps: a step that has begun is finished, so that a run
/// ends late by one operator at most.
struct RunOptions {
  int num_threads = 0;  ///< of this run; 0: the session's number, or the model's (BuildOptions::num_threads)
  std::optional<CancelToken> cancel;                              ///< requested: Run throws Error(kCancelled)
  std::optional<std::chrono::steady_clock::time_point> deadline;  ///< passed: Run throws Error(kDeadline)
  std::function<void(const RunProgress&)> progress;               ///< called after each step by the thread that runs
};

}  // namespace kuiper_infer

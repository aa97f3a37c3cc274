// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <mutex>

namespace kuiper_infer {

/// Carries an exception out of work that several threads share, whose bodies must not throw: the first that one of them
/// meets.
class FirstError {
 public:
  /// Calls work(), unless a call has failed before.
  template <class Work>
  void Guard(const Work& work) noexcept {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ != nullptr) return;
    }
    try {
      work();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ == nullptr) error_ = std::current_exception();
    }
  }

  /// Throws what a call of Guard threw, if one did. For the time after the work.
  void Rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace kuiper_infer

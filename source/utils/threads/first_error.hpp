// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <mutex>

namespace kuiper_infer {

/// Carries an exception out of work that several threads share. The body of that work must not throw; the first
/// exception in it is kept and thrown afterwards.
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

  /// Throws the exception that was kept, if there is one. To be called after the work.
  void Rethrow() const {
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace kuiper_infer

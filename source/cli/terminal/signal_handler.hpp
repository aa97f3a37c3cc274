// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace kuiper_infer::cli {

/// The handler of a signal while the object lives; then the former one is in force again. A signal that is ignored
/// stays ignored.
class SignalHandler {
 public:
  enum class Calls { kAll, kFirst };  ///< kFirst: after a call, the signal ends the program

  SignalHandler(int signal, void (*handler)(int), Calls calls);
  ~SignalHandler();
  SignalHandler(SignalHandler&& other) noexcept;
  SignalHandler& operator=(SignalHandler&& other) = delete;

 private:
  struct Former;

  std::unique_ptr<Former> former_;
};

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::python {

/// Lets Ctrl-C end work of C++ code without the GIL. Python only notes a signal, and handles it when the main thread
/// runs Python code again. The object is made when the work begins.
class SignalCheck {
 public:
  SignalCheck();

  /// To be called between parts of the work, however short they are. On the main thread, runs Python's signal handlers
  /// at most every 50 ms. Throws nb::python_error if a handler raises an exception, as the handler of Ctrl-C does.
  void Look();

 private:
  int64_t next_;  ///< milliseconds of the coarse clock
};

}  // namespace kuiper_infer::python

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::python {

/// Lets Ctrl-C end what C++ code computes without the GIL: Python notes a signal only, and handles it when the main
/// thread runs Python code again. Made where the work begins.
class SignalCheck {
 public:
  SignalCheck();

  /// Called between parts of the work, however short they are. Runs Python's handlers of signals on the main thread, at
  /// most every 50 ms, and throws nb::python_error where one raises an exception, as that of Ctrl-C does.
  void Look();

 private:
  int64_t next_;  ///< milliseconds of the coarse clock
};

}  // namespace kuiper_infer::python

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/choose_method.hpp"

namespace kuiper_infer {

/// While it lives, methods are chosen on this thread by a measurement if `measures`, otherwise by an estimate.
class MeasureScope {
 public:
  explicit MeasureScope(bool measures);
  ~MeasureScope();
  MeasureScope(const MeasureScope&) = delete;
  MeasureScope& operator=(const MeasureScope&) = delete;

 private:
  bool former_;
};

/// For MaxThreads() threads, by a measurement in a MeasureScope; the environment variable KUIPER_CONVOLUTION forces the
/// method that it names.
kernel::MethodChoice CurrentMethodChoice();

}  // namespace kuiper_infer

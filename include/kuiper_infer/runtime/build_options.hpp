// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer {

/// How RuntimeGraph plans a model. The defaults suit nearly everyone.
struct BuildOptions {
  /// Chooses the methods of 3x3 convolutions by a short measurement of each, F(6,3) among them, instead of by an
  /// estimate. Planning takes some milliseconds more for each size of layer. The choice, and with it the last digits
  /// of results, may differ from one process to the next.
  bool measure_methods = false;
};

}  // namespace kuiper_infer

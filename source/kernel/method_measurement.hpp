// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// While it lives, ChooseMethod measures on this thread where it would estimate otherwise.
class MeasureScope {
 public:
  explicit MeasureScope(bool measures);
  ~MeasureScope();
  MeasureScope(const MeasureScope&) = delete;
  MeasureScope& operator=(const MeasureScope&) = delete;

  /// Whether this thread is inside of a MeasureScope that measures.
  static bool Active();

 private:
  bool former_;
};

/// The fastest of the candidates (at least one, all suit the geometry) in a few runs each on channels-last images of
/// zeros. The answer is kept: later calls with the same arguments give it at once, from any thread. Where
/// the arrays would take more than a limit, the first candidate is the answer.
ConvolutionMethod FastestMethod(const ConvolutionGeometry& geometry, const std::vector<ConvolutionMethod>& candidates,
                                int threads);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/convolution/convolution_method.hpp"

namespace kuiper_infer::kernel {

/// Which methods of convolutions measurements have found fastest. Safe to use from several threads, one of which
/// measures at a time.
class MethodMeasurements {
 public:
  /// The fastest of the candidates (at least one, all suit the geometry) in a few runs each on channels-last images of
  /// zeros. The answer is kept: later calls with the same arguments give it at once. Where the arrays would take more
  /// than a limit, the first candidate is the answer.
  ConvolutionChoice Fastest(const ConvolutionGeometry& geometry, const std::vector<ConvolutionChoice>& candidates,
                            int threads);

  /// The answers so far as text, a line each, for Read in a later process on the same CPU.
  std::string Text() const;
  /// Takes over the answers in a text that this class wrote; lines in another form are ignored.
  void Read(std::string_view text);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> fastest_;  ///< the key of a choice, by what was asked as a text
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "operation/composition.hpp"

namespace kuiper_infer {

/// The beginning of the schemas of stft and istft.
inline constexpr char kFrameArguments[] =
    "Tensor input|self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, ";

/// The parameters that stft and istft share.
struct Frames {
  int64_t size = 0;  ///< n_fft
  int64_t hop = 0;
  bool center = true;
  bool normalized = false;
};

Frames ReadFrames(const Arguments& arguments);

/// The window function in the middle of n_fft numbers; ones where none is given.
TensorArgument Window(const Arguments& arguments, Composition& composition, const Frames& frames, const char* type);

}  // namespace kuiper_infer

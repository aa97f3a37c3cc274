// SPDX-License-Identifier: MIT
#pragma once

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

enum class SoftmaxKind {
  kSoftmax,     ///< e^x / sum e^x
  kLogSoftmax,  ///< x - log(sum e^x)
  kSoftmin,     ///< softmax of -x
};

/// Softmax along the middle axis. The largest element is subtracted, so that nothing overflows; long sums are kept in
/// double. A line of -inf only gives NaN, as in PyTorch. `output` may be `input`. Instantiated for float and double.
template <class T>
void Softmax(SoftmaxKind kind, const AxisGeometry& geometry, const T* input, T* output);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "shape/axis_geometry.hpp"

namespace kuiper_infer::kernel {

/// Parameters of LocalResponseNorm, as PyTorch names them.
struct LocalResponse {
  int64_t size = 1;
  double alpha = 1e-4;
  double beta = 0.75;
  double k = 1;
};

/// output = input / (k + alpha * m)^beta. m is the sum of squares over a window along the middle axis, divided by
/// `size`. The window reaches from size / 2 elements before to (size - 1) / 2 elements after; outside of the array it
/// finds zeros. `output` must not be `input`.
template <class T>
void LocalResponseNormalize(const LocalResponse& parameters, const AxisGeometry& geometry, const T* input, T* output);

/// output = input / max(norm, eps), norm being the p-norm along the middle axis: p may be 0 (count of non-zeros) and
/// +-infinity (largest or smallest magnitude). `output` may be `input`.
template <class T>
void NormalizeLines(double p, double eps, const AxisGeometry& geometry, const T* input, T* output);

}  // namespace kuiper_infer::kernel

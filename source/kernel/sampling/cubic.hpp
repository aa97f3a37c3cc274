// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace kuiper_infer::kernel {

/// Keys' cubic convolution kernel at distance x (R. Keys, "Cubic convolution interpolation for digital image
/// processing", 1981). NaN stays NaN.
template <class T>
T CubicWeight(T x, T a) {
  x = std::abs(x);
  if (x <= T(1)) return ((a + T(2)) * x - (a + T(3))) * x * x + T(1);
  if (x >= T(2)) return T(0);
  return ((a * x - T(5) * a) * x + T(8) * a) * x - T(4) * a;
}

}  // namespace kuiper_infer::kernel

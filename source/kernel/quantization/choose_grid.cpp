// SPDX-License-Identifier: MIT
#include "kernel/quantization/choose_grid.hpp"

#include <algorithm>
#include <cmath>

namespace kuiper_infer::kernel {

// Ends of the range are float32 and everything else is double, as in PyTorch.
QuantizationGrid ChooseGrid(float low, float high, int32_t least, int32_t most, bool symmetric) {
  low = std::min(low, 0.0F);
  high = std::max(high, 0.0F);
  const double steps = static_cast<double>(most) - least;
  const bool both_signs = low < 0 && high > 0;
  if (symmetric && both_signs) {
    const auto below = static_cast<float>(-(std::floor(steps / 2) + 1));
    const auto above = static_cast<float>(std::floor(steps / 2));
    const float widest = std::max(std::abs(low / below), std::abs(high / above));
    low = widest * below;
    high = widest * above;
  }
  double scale = (static_cast<double>(high) - low) / steps;
  if (static_cast<float>(scale) == 0.0F || std::isinf(1.0F / static_cast<float>(scale))) scale = 0.1;
  constexpr float kSmallest = 6.1e-5F;  // smaller scales lose digits in products of float32
  if (scale < kSmallest) {
    const float factor = kSmallest / static_cast<float>(scale);
    scale = kSmallest;
    if (low == 0) {
      high = kSmallest * static_cast<float>(steps);
    } else if (high == 0) {
      low = -kSmallest * static_cast<float>(steps);
    } else {
      low *= factor;
      high *= factor;
    }
  }
  // The zero point follows from one end of the range: from the end that gives it the smaller error.
  const double from_low = least - low / scale;
  const double from_high = most - high / scale;
  const double low_error = std::abs(static_cast<double>(least)) - std::abs(low / scale);
  const double high_error = std::abs(static_cast<double>(most)) - std::abs(high / scale);
  double zero = low_error < high_error ? from_low : from_high;
  if (symmetric && both_signs) zero = (static_cast<double>(least) + most) / 2;
  zero = std::min<double>(std::max<double>(std::nearbyint(zero), least), most);
  return {static_cast<float>(scale), static_cast<int32_t>(zero), least, most};
}

}  // namespace kuiper_infer::kernel

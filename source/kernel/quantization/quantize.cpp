// SPDX-License-Identifier: MIT
#include "kernel/quantization/quantize.hpp"

#include <algorithm>
#include <cmath>

#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {

void RoundToGrid(const QuantizationGrid& grid, int64_t count, const float* input, float* output) {
  const float inverse = 1.0F / grid.scale;
  const auto zero_point = static_cast<double>(grid.zero_point);
  const double least = static_cast<double>(grid.least) - zero_point;
  const double most = static_cast<double>(grid.most) - zero_point;
  ParallelFor(count, GrainFor(4), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const double steps = std::nearbyint(input[i] * inverse);
      output[i] = static_cast<float>(std::min(steps > least ? steps : least, most)) * grid.scale;
    }
  });
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "quantization/weight_rounding.hpp"

#include <algorithm>

#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::quantization {

RoundedWeight RoundByRow(const float* weight, int64_t rows, int64_t width) {
  RoundedWeight rounded;
  std::vector<float> integers(static_cast<std::size_t>(width));
  for (int64_t row = 0; row < rows; ++row) {
    float scale = 1;
    kernel::kInt8Format.round(weight + row * width, width, integers.data(), &scale);
    rounded.scales.push_back(static_cast<double>(scale));
    std::transform(integers.begin(), integers.end(), std::back_inserter(rounded.numbers),
                   [](float integer) { return static_cast<int8_t>(integer); });
  }
  return rounded;
}

}  // namespace kuiper_infer::quantization

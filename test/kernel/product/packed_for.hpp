// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernel/product/product_kernel.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {

/// A weight packed for a kernel.
inline std::vector<std::byte> PackedFor(const ProductKernel& kernel, const TransposedWeight& weight) {
  const int64_t bytes = kernel.panels.Bytes(weight.columns, weight.depth() / weight.segments, weight.segments);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  kernel.panels.Pack(weight, packed.data());
  return packed;
}

/// Parameters of groups that are packed in float32, in float16.
inline std::vector<uint16_t> HalvesOf(const std::vector<std::byte>& floats) {
  std::vector<uint16_t> halves(floats.size() / sizeof(float));
  for (std::size_t i = 0; i < halves.size(); ++i) {
    float number = 0;
    std::memcpy(&number, floats.data() + i * sizeof(float), sizeof(number));
    halves[i] = FloatToHalfBits(number);
  }
  return halves;
}

}  // namespace kuiper_infer::kernel

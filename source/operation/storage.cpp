// SPDX-License-Identifier: MIT
#include "operation/storage.hpp"

#include <limits>

namespace kuiper_infer {

bool FitsBytes(const kernel::QuantizationGrid& grid) {
  return int64_t{grid.most} - grid.least <= std::numeric_limits<uint8_t>::max();
}

kernel::QuantizationGrid ByteGrid(const kernel::QuantizationGrid& grid) {
  const int32_t shift = grid.least < 0 ? -std::numeric_limits<int8_t>::min() : 0;
  return {grid.scale, grid.zero_point + shift, grid.least + shift, grid.most + shift};
}

kernel::QuantizationGrid ByteGridOf(const Storage& storage) {
  return storage.grid && FitsBytes(*storage.grid) ? ByteGrid(*storage.grid) : kernel::QuantizationGrid();
}

}  // namespace kuiper_infer

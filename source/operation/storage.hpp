// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer {

/// The stored form of an array whose type in the model is float32: float32; float32 restricted to the numbers of a
/// quantisation grid; bytes of such a grid (kTypeUInt8); or bfloat16.
struct Storage {
  std::optional<kernel::QuantizationGrid> grid;
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;

  bool operator==(const Storage& other) const { return grid == other.grid && type == other.type; }
};

/// Whether a byte can represent each number of the grid.
bool FitsBytes(const kernel::QuantizationGrid& grid);

/// The grid of bytes that represents the numbers of `grid`, for which FitsBytes holds. A signed grid is shifted.
kernel::QuantizationGrid ByteGrid(const kernel::QuantizationGrid& grid);

/// The grid of bytes in which an array is stored, or to which a product rounds its floats. Gives a default grid if the
/// array has no grid for which FitsBytes holds.
kernel::QuantizationGrid ByteGridOf(const Storage& storage);

}  // namespace kuiper_infer

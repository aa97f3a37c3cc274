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
};

/// Whether a byte can say each number of the grid.
bool FitsBytes(const kernel::QuantizationGrid& grid);

/// The grid of the bytes that stand for the numbers of `grid`, which FitsBytes: a signed one is shifted.
kernel::QuantizationGrid ByteGrid(const kernel::QuantizationGrid& grid);

/// The grid of the bytes that an array is stored as, or to which a product rounds its floats. Any grid if the array has
/// none that FitsBytes.
kernel::QuantizationGrid ByteGridOf(const Storage& storage);

}  // namespace kuiper_infer

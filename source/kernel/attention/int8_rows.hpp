// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Rows of keys or values in 8 bits. A row of `width` numbers is `width` integers from -127 to 127, followed directly
/// by the row's scale, a float: the largest magnitude of the row divided by 127. A row that holds a NaN or an infinity
/// is zeros times NaN. All instruction sets give the same bits.
constexpr int64_t Int8RowBytes(int64_t width) { return width + static_cast<int64_t>(sizeof(float)); }

inline float ScaleOfInt8Row(const int8_t* row, int64_t width) {
  float scale = 0;
  std::memcpy(&scale, row + width, sizeof(scale));
  return scale;
}

/// The spec of an array of such rows, (..., width), that lie one behind the other.
TensorSpec Int8RowSpec(const Shape& shape);

/// Whether an array has the spec of such rows; the other axes may have any strides.
bool HasInt8Rows(const TensorSpec& spec);

/// Rounds an array (..., width) of float32, with any strides, to rows. `to` has type int8 and the shape of `from`; each
/// of its rows has Int8RowBytes(width) bytes without gaps. Allocates nothing.
void RoundToInt8Rows(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec);

/// Writes the numbers of rows. `to` has type float32 and the shape of `from`, and its rows have no gaps.
void ReadInt8Rows(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec);

}  // namespace kuiper_infer::kernel

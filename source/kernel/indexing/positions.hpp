// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer::kernel {

/// Writes the positions of the first `size` true elements of a row-major array of shape `shape`. A position is a row
/// with an index for each axis. If there are fewer than `size`, the remaining rows are filled with `fill`.
void FirstPositions(const Shape& shape, const bool* flags, int64_t size, int64_t fill, int64_t* positions);

}  // namespace kuiper_infer::kernel

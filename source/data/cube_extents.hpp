// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kuiper_infer {

using Extents = std::vector<uint32_t>;

std::string ExtentsString(const Extents& extents);

/// {channels, rows, cols} of a shape of any rank.
Extents CubeExtents(const Extents& shapes);

/// Leading extents of 1 of tensors up to rank 3 are not part of the logical shape.
Extents LogicalShape(Extents shapes);

}  // namespace kuiper_infer

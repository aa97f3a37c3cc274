// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The shape with the given axes (each from 0 to rank - 1) reduced: dropped, or of extent 1 when they are kept.
Shape ReducedShape(const Shape& shape, const std::vector<int64_t>& axes, bool keep_axes);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// Makes a row-major array, not initialised, that lives long: a weight, or the arena of a program (see MapBlock).
NdArray MappedArray(RuntimeDataType type, const Shape& shape);

}  // namespace kuiper_infer

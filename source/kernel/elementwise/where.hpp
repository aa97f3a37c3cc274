// SPDX-License-Identifier: MIT
#pragma once

#include "shape/row_loop.hpp"

namespace kuiper_infer::kernel {

/// Arrays of a selection: condition, the value where it is true, the value where it is false, output.
using WhereLoop = RowLoop<4>;

/// Computes output = condition ? yes : no, element by element. The condition is bool (one byte an element); the three
/// others have one element type, any.
void Where(const WhereLoop& loop, RuntimeDataType type, const bool* condition, const void* yes, const void* no,
           void* output);

}  // namespace kuiper_infer::kernel

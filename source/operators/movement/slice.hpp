// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {

/// The arguments for a slice's bounds in a schema, which follow `int dim=0`, and those for several axes at once.
inline constexpr char kSliceOneAxis[] = "int? start=None, int? end=None, int? step=1";
inline constexpr char kSliceManyAxes[] =
    "int[]? dims=None, int[]? starts=None, int[]? ends=None, int[]? steps=None, int[]? selects=None";

/// The view of an array of this spec that a slice's arguments describe.
StridedView ReadSlice(const Arguments& arguments, const TensorSpec& spec);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {

/// The bounds of a slice in a schema, behind `int dim=0`, and their form for several axes at once.
inline constexpr char kSliceOneAxis[] = "int? start=None, int? end=None, int? step=1";
inline constexpr char kSliceManyAxes[] =
    "int[]? dims=None, int[]? starts=None, int[]? ends=None, int[]? steps=None, int[]? selects=None";

/// The view that the arguments of a slice describe of an array of this spec.
StridedView ReadSlice(const Arguments& arguments, const TensorSpec& spec);

}  // namespace kuiper_infer

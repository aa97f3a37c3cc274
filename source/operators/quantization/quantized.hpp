// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/quantization/quantize.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// A quantised array is a float32 array whose elements are the numbers (q - zero_point) * scale already: it carries
/// scale and zero point by its contents, so that every operator that only moves or compares elements reads it as it is,
/// and dequantising is the identity.

/// The grid to which an operator's result is rounded. `dtype_says`: the operator's dtype argument tells the range;
/// otherwise, as the converter doesn't write it, the type noted at the output does, or 0 to 255, unless the zero point
/// lies below.
kernel::QuantizationGrid ReadGrid(const Arguments& arguments, double scale, double zero_point, bool dtype_says);

/// The plan `plan` of a float operation with its only output rounded to the grid of these arguments; with `relu`
/// numbers below zero become zero.
OperationPlan PlanRounded(const Arguments& arguments, OperationPlan plan, bool relu);

/// The plan of the operation `type` of the table.
OperationPlan PlanAs(const Arguments& arguments, const char* type);

}  // namespace kuiper_infer

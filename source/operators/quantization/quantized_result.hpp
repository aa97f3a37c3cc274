// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/quantization/quantize.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// What the operators of quantised models have in common: a float operation whose result is rounded to a grid that the
/// operator's arguments give.

/// Returns the grid to which an operator's result is rounded. Throws Error(kArgument) if the scale is not a positive
/// number or the zero point not an integer of the range. If `dtype_says`, the operator's dtype argument gives the
/// range. Otherwise the converter leaves dtype out or writes torch.qint8 for any type: then the type recorded at the
/// output, or another dtype, gives the range; without these it is 0 to 255, unless the zero point is negative.
kernel::QuantizationGrid ReadGrid(const Arguments& arguments, double scale, double zero_point, bool dtype_says);

/// The plan `plan` of a float operation with its only output rounded to the grid of these arguments; with `relu`
/// numbers below zero become zero.
OperationPlan PlanRounded(const Arguments& arguments, OperationPlan plan, bool relu);

/// The plan of the operation `type` of the table.
OperationPlan PlanAs(const Arguments& arguments, const char* type);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "operation/computation.hpp"

namespace kuiper_infer {

/// A quantised array is a float32 array whose elements are the numbers (q - zero_point) * scale already: it carries
/// scale and zero point by its contents, so that every operator that only moves or compares elements reads it as it is,
/// and dequantising is the identity. The planner stores it as bytes if all its readers can read bytes.

/// Rounds an array's numbers to a grid.
class GridRounding : public Computation {
 public:
  GridRounding(TensorArgument input, const kernel::QuantizationGrid& grid) : input_(std::move(input)), grid_(grid) {}

  const kernel::QuantizationGrid& grid() const { return grid_; }
  bool CanFuse(const Fusion& fusion) const override;  ///< nothing but its own grid
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  TensorArgument input_;
  kernel::QuantizationGrid grid_;
};

/// The plan of GridRounding of a float32 array, whose result keeps the array's layout.
OperationPlan PlanGridRounding(const TensorArgument& input, const kernel::QuantizationGrid& grid);

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

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

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "kernel/product/product_kernels.hpp"
#include "operation/computation.hpp"
#include "operation/packed_weight.hpp"

namespace kuiper_infer {

/// Whether arrays allow a product of rows by a weight that is packed ahead: an input in row-major order, and a bias
/// (null: none) of one number a column.
bool SuitsWeightProduct(const TensorArgument& input, const TensorArgument* bias, const Shape& output);

/// input @ weight + bias over the input's last axis, by a constant weight that is packed ahead.
class WeightProduct : public Computation {
 public:
  /// The weight is one that CanPack, (outputs, features) if `arrangement` is kWindows, as in a linear layer, or
  /// (features, outputs) if it is kMatrix.
  WeightProduct(TensorArgument input, TensorArgument weight, kernel::Arrangement arrangement,
                const TensorArgument* bias, const PlanningContext& context);

  /// Rounding only behind weights of bytes.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  bool PrefersBFloat16(int input, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  void ChooseKernels(const PlanningContext& context);
  /// The product of `count` inputs of this shape, one behind the other.
  WeightProduct ForRuns(int64_t count, const PlanningContext& context) const;
  bool linear() const { return arrangement_ == kernel::Arrangement::kWindows; }
  int64_t depth() const { return input_.spec.shape.back(); }
  int64_t rows() const { return input_.spec.size() / depth(); }
  int64_t columns() const { return weight_.spec.shape[linear() ? 0 : 1]; }
  /// The kernel for rows that are stored as the fusion says.
  const kernel::ProductKernel& KernelFor(const Fusion& fusion) const;
  bool InIntegers(const Fusion& fusion) const;

  TensorArgument input_;
  TensorArgument weight_;
  kernel::Arrangement arrangement_;
  int bias_;                                       ///< RunContext input; -1: none
  const kernel::ProductKernel* floats_ = nullptr;  ///< the kernel for float32 rows
  const kernel::ProductKernel* bytes_ = nullptr;   ///< for rows on a grid of bytes; the float kernel if there is none
};

/// The product as one new array.
OperationPlan PlanWeightProduct(const TensorArgument& input, const TensorArgument& weight,
                                kernel::Arrangement arrangement, const TensorArgument* bias, const Shape& output,
                                const PlanningContext& context);

}  // namespace kuiper_infer

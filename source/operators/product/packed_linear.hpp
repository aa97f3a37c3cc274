// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "operation/computation.hpp"
#include "operators/product/packed_weight.hpp"

namespace kuiper_infer {

/// Products of float rows by a constant weight that is packed ahead.

/// Whether the arrays allow it: an input in row-major order, and a bias (null: none) of one number a column.
bool SuitsPackedLinear(const TensorArgument& input, const TensorArgument* bias, const Shape& output);

/// How a weight's numbers lie: (outputs, features) as in a linear layer, or (features, outputs).
enum class WeightOrder { kLinear, kMatrix };

/// input @ weight + bias over the input's last axis.
class WeightProduct : public Computation {
 public:
  /// The weight is one that CanPack.
  WeightProduct(TensorArgument input, TensorArgument weight, WeightOrder order, const TensorArgument* bias,
                const PlanningContext& context);

  /// Rounding only behind weights that are stored in integers.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  bool InIntegers(const Fusion& fusion) const;
  int64_t depth() const { return input_.spec.shape.back(); }
  int64_t rows() const { return input_.spec.size() / depth(); }
  int64_t columns() const { return weight_.spec.shape[order_ == WeightOrder::kLinear ? 0 : 1]; }
  /// Whether input and weight become one bfloat16 number each.
  bool Rounds() const { return packed_order_->type == kernel::WeightType(RuntimeDataType::kTypeBFloat16, 1); }

  TensorArgument input_;
  TensorArgument weight_;
  WeightOrder order_;
  int bias_;                                 ///< RunContext input; -1: none
  const kernel::WeightOrder* packed_order_;  ///< how the weight is packed, but for products in integers
};

/// The product as one new array.
OperationPlan PlanWeightProduct(const TensorArgument& input, const TensorArgument& weight, WeightOrder order,
                                const TensorArgument* bias, const Shape& output, const PlanningContext& context);

}  // namespace kuiper_infer

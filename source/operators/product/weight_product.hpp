// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kernel/product/product_kernels.hpp"
#include "operation/computation.hpp"
#include "operation/weights/packed_weight.hpp"

namespace kuiper_infer {

/// Whether arrays allow a product of rows by a weight that is packed ahead: an input in row-major order, and a bias
/// (null: none) of one number a column.
bool SuitsWeightProduct(const TensorArgument& input, const TensorArgument* bias, const Shape& output);

/// A product by a packed weight as runs compute it.
struct PackedProduct {
  kernel::Product product;  ///< without the addresses of a run's arrays
  std::shared_ptr<const PackedWeight> weight;
  int input;
  int bias;      ///< RunContext input; -1: none
  int residual;  ///< RunContext input; -1: none
  Storage result;

  /// The product of a run's arrays.
  kernel::Product In(const RunContext& c, int output) const;
  /// Rounds results to their grid, if they are stored as floats.
  void Round(const kernel::Product& made) const;
};

/// input @ weight + bias over the input's last axis, by a constant weight that is packed ahead.
class WeightProduct : public Computation {
 public:
  /// CanPack must hold for the weight. Its shape is (outputs, features) if `arrangement` is kWindows, as in a linear
  /// layer, or (features, outputs) if it is kMatrix.
  WeightProduct(TensorArgument input, TensorArgument weight, kernel::Arrangement arrangement,
                const TensorArgument* bias, const PlanningContext& context);

  /// Rounding can be fused only if the weight has ChannelIntegers.
  bool CanFuse(const Fusion& fusion) const override;
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override;
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override;
  bool PrefersBFloat16(int input, const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

  PackedProduct Pack(const Fusion& fusion, const PlanningContext& context) const;
  /// Notes that a call reads the weight in a packed form only.
  void NoteWeight(const PackedProduct& packed, KernelCall& call) const;
  /// The same product with an input of `rows` rows.
  WeightProduct ForRows(int64_t rows, const PlanningContext& context) const;
  /// Whether another product multiplies rows of the same inputs by the same weight.
  bool SameForRow(const WeightProduct& other) const;
  /// This product as a part of a larger call: RunContext input i is input places[i] of that call.
  WeightProduct WithInputsAt(const std::vector<int>& places) const;
  /// The kernel for rows that are stored as the fusion says.
  const kernel::ProductKernel& KernelFor(const Fusion& fusion) const;
  int input() const { return input_.input; }
  int64_t rows() const { return input_.spec.size() / depth(); }
  double multiply_adds() const { return static_cast<double>(rows() * columns()) * static_cast<double>(depth()); }

 private:
  void ChooseKernels(const PlanningContext& context);
  bool linear() const { return arrangement_ == kernel::Arrangement::kWindows; }
  int64_t depth() const { return input_.spec.shape.back(); }
  int64_t columns() const { return weight_.spec.shape[linear() ? 0 : 1]; }
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

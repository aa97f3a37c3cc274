// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "operation/operation.hpp"
#include "shape/einsum.hpp"

namespace kuiper_infer {

/// An array with labelled axes: an input of the run, or a part of the workspace.
struct EinsumFactor {
  int input = -1;
  int64_t offset = 0;
  LabelledSpec array;
};

/// The product of two factors: left (batch, m, k) and right (batch, k, n). A factor is copied into this order first if
/// strides cannot express it.
struct EinsumStep {
  struct Side {
    EinsumFactor factor;
    std::optional<int64_t> copy_offset;
    TensorSpec matrices;
  };
  Side left, right;
  TensorSpec product;
  int64_t product_offset = 0;
};

/// Builds an Einstein sum out of products of two factors; results lie one behind the other in the workspace.
class EinsumPlanner {
 public:
  /// A planner of sums whose result has the labels `output`.
  EinsumPlanner(RuntimeDataType type, std::string output) : type_(type), output_(std::move(output)) {}

  /// Sums over labels that neither `kept` nor the output has, by a product with ones.
  EinsumFactor SumOut(const EinsumFactor& factor, const std::string& kept);

  /// The product of two factors, summed over the common labels that neither `kept` nor the output has.
  EinsumFactor Multiply(const EinsumFactor& left, const EinsumFactor& right, const std::string& kept);

  /// The plan that runs the steps and copies `result` into the output.
  OperationPlan Finish(EinsumFactor result);

 private:
  EinsumStep::Side MakeSide(const EinsumFactor& factor, const std::string& batch, const std::string& rows,
                            const std::string& columns);
  int64_t Allocate(const Shape& shape);

  RuntimeDataType type_;
  std::string output_;
  int64_t bytes_ = 0;
  double multiply_adds_ = 0;
  std::vector<EinsumStep> steps_;
  std::vector<int64_t> ones_;
};

}  // namespace kuiper_infer

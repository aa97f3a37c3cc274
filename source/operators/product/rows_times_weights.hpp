// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operators/product/weight_product.hpp"

namespace kuiper_infer {

/// A product, and what its call fuses.
struct FusedProduct {
  WeightProduct product;  ///< its inputs are numbered as those of the call
  Fusion fusion;
};

/// The products of one input by one or several weights, as work on the input's rows.
class RowsTimesWeights : public RowwiseWork {
 public:
  explicit RowsTimesWeights(std::vector<FusedProduct> products) : products_(std::move(products)) {}

  int64_t rows() const override { return products_.front().product.rows(); }
  bool SameForRow(const RowwiseWork& other) const override;
  KernelCall MakeCall(int64_t rows, const PlanningContext& context) const override;

 private:
  std::vector<FusedProduct> products_;
};

}  // namespace kuiper_infer

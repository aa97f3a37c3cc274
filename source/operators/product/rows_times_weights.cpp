// SPDX-License-Identifier: MIT
#include "operators/product/rows_times_weights.hpp"

#include <algorithm>

#include "operators/product/fused_products.hpp"

namespace kuiper_infer {

bool RowsTimesWeights::SameForRow(const RowwiseWork& other) const {
  const auto* const theirs = dynamic_cast<const RowsTimesWeights*>(&other);
  return theirs != nullptr && std::equal(products_.begin(), products_.end(), theirs->products_.begin(),
                                         theirs->products_.end(), [](const FusedProduct& a, const FusedProduct& b) {
                                           return a.product.SameForRow(b.product) &&
                                                  a.fusion.SameButForShapes(b.fusion);
                                         });
}

KernelCall RowsTimesWeights::MakeCall(int64_t rows, const PlanningContext& context) const {
  std::vector<FusedProduct> products = products_;
  for (FusedProduct& each : products) each.product = each.product.ForRows(rows, context);
  const Fusion fusion = products.front().fusion;
  if (products.size() == 1) return products.front().product.MakeCall(fusion, context);
  return FusedProducts(std::move(products)).MakeCall(fusion, context);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "operators/product/packed_weight.hpp"

namespace kuiper_infer {

/// The type of the factors of attention's two products (kernel::AttentionOptions::factor_type), of the queries
/// (..., l, e), keys (..., s, e) and values (..., s, v) of its heads.
inline kernel::WeightType AttentionFactorType(const PlanningContext& context, const TensorSpec& query,
                                              const TensorSpec& key, const TensorSpec& value) {
  const int64_t queries = query.shape.end()[-2];
  const int64_t keys = key.shape.end()[-2];
  const kernel::WeightType scores = ProductType(context, queries, keys, key.shape.back());
  const kernel::WeightType output = ProductType(context, queries, value.shape.back(), keys);
  return scores == output && key.type == RuntimeDataType::kTypeFloat32 ? scores : kernel::WeightType();
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kernel/attention/attention.hpp"
#include "kernel/product/int8/product.hpp"
#include "operators/product/packed_weight.hpp"

namespace kuiper_infer {

/// Chooses how attention's two products are computed, of the queries (..., l, e), keys (..., s, e) and values
/// (..., s, v) of its heads: in integers where the operator says so (`int8_products`) and this CPU has a unit for them,
/// else by factors of the type that the precision wants.
inline void ChooseHeadFactors(const PlanningContext& context, bool int8_products, const TensorSpec& query,
                              const TensorSpec& key, const TensorSpec& value, kernel::AttentionOptions& options) {
  if (key.type != RuntimeDataType::kTypeFloat32) return;
  const int64_t queries = query.shape.end()[-2];
  const int64_t keys = key.shape.end()[-2];
  const int64_t depth = key.shape.back();
  const bool fits = keys > 0 && depth > 0 && kernel::SuitsInt8(keys) && kernel::SuitsInt8(depth);
  options.integers = int8_products && fits && kernel::ComputesInIntegers();
  const kernel::WeightType scores = ProductType(context, queries, keys, depth);
  const kernel::WeightType output = ProductType(context, queries, value.shape.back(), keys);
  if (scores == output) options.factor_type = scores;
}

/// What reports call such products; empty for float32.
inline std::string HeadProductMethod(const kernel::AttentionOptions& options) {
  return options.integers ? "int8" : ProductMethod(options.factor_type);
}

}  // namespace kuiper_infer

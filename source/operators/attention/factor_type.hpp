// SPDX-License-Identifier: MIT
#pragma once

#include "operators/product/packed_weight.hpp"

namespace kuiper_infer {

/// The type of the factors of attention's two products (kernel::AttentionOptions::factor_type), of the keys (..., s, e)
/// and values (..., s, v) of its heads.
inline RuntimeDataType AttentionFactorType(const PlanningContext& context, const TensorSpec& key,
                                           const TensorSpec& value) {
  const int64_t keys = key.shape.end()[-2];
  const RuntimeDataType scores = ProductType(context, keys, key.shape.back());
  const RuntimeDataType output = ProductType(context, value.shape.back(), keys);
  return scores == output && key.type == RuntimeDataType::kTypeFloat32 ? scores : RuntimeDataType::kTypeFloat32;
}

}  // namespace kuiper_infer

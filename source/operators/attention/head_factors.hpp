// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/attention/attention.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "operation/weights/packed_weight.hpp"

namespace kuiper_infer {

/// Chooses the kernel for both products of attention, for queries (..., l, e), keys (..., s, e) and values (..., s, v):
/// in integers if the operator says so (`int8_products`) and this CPU has a unit for them, else at the precision that
/// the context wants.
inline void ChooseHeadProduct(const PlanningContext& context, bool int8_products, const TensorSpec& query,
                              const TensorSpec& key, const TensorSpec& value, kernel::AttentionOptions& options) {
  if (key.type != RuntimeDataType::kTypeFloat32 || !kernel::HasProductKernels(context.units)) return;
  const int64_t queries = query.shape.end()[-2];
  const int64_t keys = key.shape.end()[-2];
  const int64_t depth = key.shape.back();
  const auto choose = [&](int64_t columns, int64_t of_depth) {
    kernel::ProductQuestion question{{queries, columns, of_depth}};
    question.on_byte_grid = int8_products && keys > 0 && depth > 0;
    if (question.on_byte_grid) question.stored = &kernel::kInt8Format;
    question.pieces = context.pieces;
    return &kernel::ChooseProduct(context.units, question);
  };
  const auto in_integers = [](const kernel::ProductKernel* kernel) {
    return kernel->left == RuntimeDataType::kTypeUInt8;
  };
  const kernel::ProductKernel* scores = choose(keys, depth);
  const kernel::ProductKernel* output = choose(value.shape.back(), keys);
  if (int8_products && !(in_integers(scores) && in_integers(output))) {
    return ChooseHeadProduct(context, false, query, key, value, options);
  }
  options.product = scores == output ? scores : &kernel::Float32Kernel(context.units.isa);
}

}  // namespace kuiper_infer

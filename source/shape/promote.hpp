// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The element type of arithmetic between operands (https://docs.pytorch.org/docs/stable/tensor_attributes.html): the
/// highest category (bool, integer, floating, complex) decides. Within a category, the types of arrays of rank 1 and
/// more decide first, then those of 0-d arrays, then those of Python numbers. Python floats alone give float32, the
/// default type.
RuntimeDataType Promote(const std::vector<TensorSpec>& operands);
inline RuntimeDataType Promote(const TensorSpec& a, const TensorSpec& b) {
  return Promote(std::vector<TensorSpec>{a, b});
}

/// The wider of two types, regardless of rank.
RuntimeDataType PromoteTypes(RuntimeDataType a, RuntimeDataType b);

/// The type in which division and transcendental functions give their results: float32 for integers and bool, otherwise
/// the type itself.
RuntimeDataType FloatingResult(RuntimeDataType type);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// The number in a recorded shape that stands for an extent which is known only at run time.
constexpr int64_t kUnknownExtent = -1;

inline Shape RecordedShape(const pnnx::Operand& operand) { return Shape(operand.shape.begin(), operand.shape.end()); }

inline bool SameExtent(int64_t left, int64_t right) {
  return left == right || left == kUnknownExtent || right == kUnknownExtent;
}

/// Whether an array could have both shapes.
inline bool SameShape(const Shape& left, const Shape& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!SameExtent(left[i], right[i])) return false;
  }
  return true;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::kernel {

/// How the numbers of a packed weight are stored.
struct WeightType {
  RuntimeDataType element = RuntimeDataType::kTypeFloat32;
  /// Elements whose sum is one number of the weight: 1 to 3 of bfloat16 (product/bfloat16/pieces.hpp), 1 of other
  /// types.
  int pieces = 1;

  constexpr WeightType() = default;
  constexpr WeightType(RuntimeDataType type, int count = 1) : element(type), pieces(count) {}  // NOLINT: a type alone

  constexpr bool operator==(const WeightType& other) const {
    return element == other.element && pieces == other.pieces;
  }

  /// The pieces of bfloat16 numbers, 0 for other types.
  constexpr int bfloat16_pieces() const { return element == RuntimeDataType::kTypeBFloat16 ? pieces : 0; }
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_order.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Winograd's transform of 8-bit weights for tiles of 2 x 2 outputs, by 2 G in place of G, so that all numbers are
/// integers of 16 bits, and four times as large: 16 planes (y, x) of panels of 16 columns, in which two inputs lie side
/// by side, odd ones filled up with a zero; behind them the sums of the columns' untransformed weights, as int32.

constexpr int64_t kWordColumns = 16;  ///< of a panel
constexpr int64_t kWordPlanes = 16;

/// Rows of a plane: inputs, to an even number.
inline int64_t WordDepth(int64_t inputs) { return RoundUp(inputs, int64_t{2}); }

inline int64_t WordColumns(int64_t outputs) { return RoundUp(outputs, kWordColumns); }

/// Numbers of a plane.
inline int64_t WordPlane(int64_t outputs, int64_t inputs) { return WordColumns(outputs) * WordDepth(inputs); }

const WeightOrder& Int8WinogradOrder();

}  // namespace kuiper_infer::kernel

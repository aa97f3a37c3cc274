// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_order.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

/// Products of float rows by a constant weight of small integers, 8 or 4 bits each, with scales: a number of the weight
/// is its integer times the scale of its column and group, rounded to float. All else is float, and the results are
/// those, to the bit, of MultiplyByWeight with these numbers packed as floats.

/// Bytes that a weight of depth x columns takes when packed.
int64_t PackedIntegerBytes(int bits, int64_t columns, int64_t depth);

/// Packs the transpose of a weight of integers, -128 to 127 or -8 to 7: column j lies at `transposed` + j * ld. Columns
/// from a multiple of WeightPanelColumns() on can be packed for themselves, to PackedIntegerBytes of those before them.
void PackIntegers(int bits, int64_t columns, int64_t depth, const float* transposed, int64_t ld, uint8_t* packed);

/// Brings a packed weight back, as its transpose without gaps.
void UnpackIntegers(int bits, int64_t columns, int64_t depth, const uint8_t* packed, float* transposed);

/// The integers of a weight (outputs, inputs), one group, one tap, packed so.
const WeightOrder& QuantizedPanelOrder(int bits);

/// Computes a product of weight_type int8 (8 bits) or uint8 (4 bits), of one segment without factors, spread over
/// threads by rows or by columns.
void MultiplyByQuantizedWeight(const WeightProduct& product);

}  // namespace kuiper_infer::kernel

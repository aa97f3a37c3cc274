// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_product.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// Products of float rows by a constant weight of bfloat16 numbers: the rows are rounded to bfloat16, too, products and
/// sums are float. A packed weight lies in panels of 64 columns, in which two numbers that follow each other along the
/// depth lie side by side, as the CPUs' dot products of pairs read them; it is the same for all units.

/// Bytes that a weight of depth x columns takes when packed.
int64_t PackedBFloat16Bytes(int64_t columns, int64_t depth);

/// Columns that lie side by side in a packed weight: those from a multiple of this number on can be packed for
/// themselves, to PackedBFloat16Bytes of the columns before them.
int64_t BFloat16PanelColumns();

/// Rounds and packs the transpose of a weight whose columns are given as (inputs, taps) and become (taps, inputs),
/// which makes a depth of inputs * taps: column j lies at `transposed` + j * ld. Multiplies by `scale` before.
void PackBFloat16Window(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                        uint16_t* packed, float scale = 1);

/// Rounds and packs `count` rows, from `first_row` on, of a weight that is given as it is: row first_row + k lies at
/// `rows` + k * ld. `packed` is the whole packed weight. Both numbers are even, unless the rows are the last.
void PackBFloat16Rows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                      uint16_t* packed);

/// Computes the product by a weight packed so, spread over threads by rows or by columns. Every unit, and the portable
/// code of MatrixUnit::kNone, gives the same numbers: for each pair along the depth the later product is added first,
/// each addition rounds to nearest, blocks of 256 of the depth are added in order.
void MultiplyByBFloat16Weight(const WeightProduct& product, MatrixUnit unit);

/// Whether such a product can be faster than float's: numbers are rounded once and multiplied by each column.
bool SuitsBFloat16(int64_t columns, int64_t depth);

/// Time of a multiply-add as a multiple of float's, by a measurement that the process makes once; 1 without a unit.
double BFloat16Time();

}  // namespace kuiper_infer::kernel

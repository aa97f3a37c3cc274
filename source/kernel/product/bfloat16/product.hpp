// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

struct BFloat16Kernel;  // bfloat16/tile.hpp

/// Products of rows by a constant weight of bfloat16 numbers: the rows are rounded to bfloat16, too, unless they are so
/// already; products and sums are float. Each number can be rounded to one bfloat16 number, or be the sum of two or
/// three `pieces` (bfloat16/pieces.hpp), which makes the product more exact and the work three or six times as much.
///
/// A packed weight lies in panels of 64 columns, in which two numbers that follow each other along the depth lie side
/// by side, as the CPUs' dot products of pairs read them, in blocks of 32 numbers of the depth, piece after piece;
/// zeros fill the last block. It is the same for all units.

/// Bytes that a weight of depth x columns takes when packed.
int64_t PackedBFloat16Bytes(int64_t columns, int64_t depth, int pieces = 1);

/// Columns that lie side by side in a packed weight: those from a multiple of this number on can be packed for
/// themselves, to PackedBFloat16Bytes of the columns before them.
int64_t BFloat16PanelColumns();

/// Rounds and packs the transpose of a weight whose columns are given as (inputs, taps) and become (taps, inputs),
/// which makes a depth of inputs * taps: column j lies at `transposed` + j * ld. Multiplies by `scale` before.
void PackBFloat16Window(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                        uint16_t* packed, int pieces = 1, float scale = 1);

/// Rounds and packs `count` rows, from `first_row` on, of a weight that is given as it is: row first_row + k lies at
/// `rows` + k * ld. `packed` is the whole packed weight. Both numbers are even, unless the rows are the last.
void PackBFloat16Rows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                      uint16_t* packed, int pieces = 1);

/// Up to this depth (of all segments) a row's products are added up in registers, and results may be rounded.
constexpr int64_t kMostRoundedDepth = 6144;

/// Computes the product by a weight packed so, spread over threads by rows or by columns; the same numbers for any
/// number of threads. Blocks of the depth are added in order: of kMostRoundedDepth numbers, or of 256 that have several
/// pieces. Within a block, AVX512_BF16 and the portable code add up number by number, the later one of a pair first,
/// AMX as it is described in docs/numerics.md.
void MultiplyByBFloat16Weight(const WeightProduct& product, const BFloat16Kernel& kernel);

/// Time of a multiply-add of such a product as a multiple of float's, by measurements that the process makes once; 1
/// where no unit computes it.
double BFloat16Time(int pieces, int64_t rows, int64_t columns, int64_t depth);

/// Whether such a product should be faster than float's: numbers are rounded once and multiplied by each column.
bool SuitsBFloat16(int pieces, int64_t rows, int64_t columns, int64_t depth);

}  // namespace kuiper_infer::kernel

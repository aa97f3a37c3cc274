// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The kernels that round float32 rows to 8 bits (rounded_rows.hpp) and multiply them by weights stored as integers, in
/// the panels of IntegerWeightKernels: one for each packed form.
///
/// With b a block of the depth, x_b the block's scale in the row, x[k] the row's integers, q[k] those of a column with
/// its scale w_b (and minimum m_b), y = sum over b of (x_b w_b) float(sum over k in b of x[k] q[k]) + m_b (x_b
/// float(sum over k in b of x[k])). The sums over k are exact; each product of scales is rounded once, and so is each
/// multiply-add, in the order of the blocks. So all units and any number of threads give the same bits. A row that
/// holds a NaN or an infinity gives NaN in all columns.
///
/// They suit weights whose groups are multiples of a word of integers: four of 8 bits, eight of 4 bits.
///
/// Empty where GainsByRounding() is false, but for the baseline, whose portable code is what tests compare units with.
std::vector<const ProductKernel*> RoundingKernels(Isa isa, Int8Unit unit);

/// Whether the unit multiplies bytes such that these kernels are faster than those of float32 rows.
bool GainsByRounding(Isa isa, Int8Unit unit);

}  // namespace kuiper_infer::kernel

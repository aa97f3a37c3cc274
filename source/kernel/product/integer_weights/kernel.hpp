// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The kernels that multiply float32 rows by weights stored as integers, one for each packed form. A number of the
/// weight is what WeightFormat::scale makes of its integer; all else is float32, and the results are those, to the bit,
/// of the float32 kernel with these numbers. Weights have one segment and no taps, products no factors.
///
/// Few rows, as where text is generated word by word, wait for memory: tiles make floats of the integers in registers.
/// For more rows, a part of a panel becomes floats in a block of the first-level cache, which the float tile then
/// reads.
std::vector<const ProductKernel*> IntegerWeightKernels(Isa isa);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The kernel for float32 numbers: tiles of Highway's vectors, compiled for each instruction set. If the product has
/// factors for the columns of the left matrix (Product::factors), they multiply blocks of the rows or of the weight,
/// whichever is less work. The sizes of the whole product decide that, not those of a thread's part, so that results
/// don't depend on the number of threads.
const ProductKernel& Float32Kernel(Isa isa);

/// Multiplies a task's rows of floats by its part of a panel of floats, which lies at `weight`, in tiles of equal
/// height. Each tile prefetches its share of `next`, the part of the weight that is multiplied next.
using FloatPanelProduct = void (*)(const PanelTask& task, const float* weight, const float* next);

/// The function that multiplies rows by a panel of floats. Kernels that convert their panels to floats call it, so that
/// the tiles are compiled once.
FloatPanelProduct MultiplyFloatPanel(Isa isa);

/// The panels of float32 numbers, for weights that are transformed before they are packed.
const WeightPanels& Float32Panels(Isa isa);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The kernel for float32 numbers: tiles of Highway's vectors, compiled for each instruction set. It reads factors of
/// the left factor's columns: these multiply the rows or the weight, whichever is less work, a block at a time. The
/// product's sizes decide, not those of a thread's part, so that results don't depend on the number of threads.
const ProductKernel& Float32Kernel(Isa isa);

/// The panels of float32 numbers, for weights that are transformed before they are packed.
const WeightPanels& Float32Panels(Isa isa);

}  // namespace kuiper_infer::kernel

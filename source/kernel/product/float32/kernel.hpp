// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The kernel for float32 numbers: tiles of Highway's vectors, compiled for each instruction set. It reads factors of
/// the left factor's columns: these multiply the rows or the weight, whichever is less work, a block at a time. The
/// product's sizes decide, not those of a thread's part, so that results don't depend on the number of threads.
const ProductKernel& Float32Kernel(Isa isa);

/// Multiplies a task's rows of floats by its part of a panel of floats, which lies at `weight`, in tiles of equal
/// height. Each tile prefetches its share of `next`, the part of the weight that is multiplied afterwards.
using FloatPanelProduct = void (*)(const PanelTask& task, const float* weight, const float* next);

/// What the kernel multiplies panels by, for kernels that make floats of theirs: tiles are compiled once for all.
FloatPanelProduct MultiplyFloatPanel(Isa isa);

/// The panels of float32 numbers, for weights that are transformed before they are packed.
const WeightPanels& Float32Panels(Isa isa);

}  // namespace kuiper_infer::kernel

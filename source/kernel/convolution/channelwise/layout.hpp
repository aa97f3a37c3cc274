// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"

namespace kuiper_infer::kernel {

/// The layout (taps, inputs of a group, all groups' outputs) of float32 numbers: vectors go along the outputs of
/// several groups.
const PackedLayout& LayoutChannelwise(const ProductKernel& product);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/channels_last.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

/// The product (of a weight in kPanelOrder) that gives the output positions [first, first + rows) of image n for one
/// group; the caller adds where the left factor lies.
WeightProduct MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                          int64_t group, int64_t first, int64_t rows);

}  // namespace kuiper_infer::kernel

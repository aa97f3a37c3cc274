// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

/// The product (of a weight in panels) that gives the output positions [first, first + rows) of image n
/// for one group; the caller adds where the left factor lies.
WeightProduct MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                          int64_t group, int64_t first, int64_t rows);

/// Whether products of these formats come into question for a convolution, since they should be faster than float's.
bool SuitsProduct(const NumberFormats& formats, const ConvolutionGeometry& geometry);

/// Time of a multiply-add of these formats in a convolution as a multiple of float's.
double ProductTime(const NumberFormats& formats, const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel

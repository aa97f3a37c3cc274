// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/int8/product.hpp"
#include "kernel/product/weight_product.hpp"

namespace kuiper_infer::kernel {

/// The product to which a convolution comes down whose input consists of float or bfloat16 numbers, the latter as
/// uint16_t, or of bytes.
template <class T>
using ProductOf = std::conditional_t<std::is_same_v<T, uint8_t>, Int8Product, WeightProduct>;

/// The product (of a weight in panels) that gives the output positions [first, first + rows) of image n
/// for one group; the caller adds where the left factor lies, whose numbers are the input's.
template <class Product>
Product MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                    int64_t group, int64_t first, int64_t rows);

inline void Multiply(const WeightProduct& product) { MultiplyByWeight(product); }
inline void Multiply(const Int8Product& product) { MultiplyByInt8Weight(product, UsedInt8Unit()); }

/// The run of a method that copies numbers as they are stored: for an input of floats, and of bfloat16 numbers.
template <void (*kFloats)(const ChannelsLastConvolution&, const ChannelsLastArrays&),
          void (*kRounded)(const ChannelsLastConvolution&, const ChannelsLastArrays&)>
void RunByInput(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  (arrays.input_type == RuntimeDataType::kTypeBFloat16 ? kRounded : kFloats)(convolution, arrays);
}

/// The input from number `offset` on.
const void* InputFrom(const ChannelsLastArrays& arrays, int64_t offset);

/// Whether products of these formats come into question for a convolution: rounding numbers pays where each is
/// multiplied often.
bool SuitsProduct(const NumberFormats& formats, const ConvolutionGeometry& geometry);

/// Time of a multiply-add of these formats in a convolution as a multiple of float's.
double ProductTime(const NumberFormats& formats, const ConvolutionGeometry& geometry);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/product/product.hpp"

namespace kuiper_infer::kernel {

/// The product of a convolution that gives the output positions [first, first + rows) of image n for one group; the
/// caller adds where the left factor lies, whose numbers are the input's.
Product MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                    int64_t group, int64_t first, int64_t rows);

/// The sizes of a group's product over all positions of all images.
ProductShape ProductShapeOf(const ConvolutionGeometry& geometry);

/// Calls body(tag) with the type in which a kernel reads the input's numbers, as a tag of it: uint8_t, uint16_t for
/// bfloat16, or float.
template <class Body>
void DispatchInput(RuntimeDataType type, const Body& body) {
  if (type == RuntimeDataType::kTypeUInt8) return body(uint8_t{});
  if (type == RuntimeDataType::kTypeBFloat16) return body(uint16_t{});
  body(float{});
}

/// What padding is made of: the number that stands for zero.
template <class T>
T PaddingOf(const ChannelsLastArrays& arrays) {
  return arrays.int8 != nullptr ? static_cast<T>(arrays.int8->input.zero_point) : T(0);
}

/// Bytes of a number of the input as the kernel reads it, at most.
inline int64_t InputBytes(const ProductKernel& product) { return static_cast<int64_t>(ElementBytes(product.left)); }

/// The input from number `offset` on.
const void* InputFrom(const ChannelsLastArrays& arrays, int64_t offset);

}  // namespace kuiper_infer::kernel

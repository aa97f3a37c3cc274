// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_product.hpp"

#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {

Product MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                    int64_t group, int64_t first, int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  Product product{rows, geometry.channels_out / geometry.groups, geometry.group_depth()};
  const int64_t channel = group * product.columns;
  product.weight = {convolution.product, arrays.weight};
  if (group > 0) {
    const PackedLayout& layout = convolution.method->layout(*convolution.product);
    const int64_t group_bytes = layout.Bytes({1, product.columns, product.depth, 1});
    product.weight.data = static_cast<const std::byte*>(arrays.weight) + group * group_bytes;
  }
  product.a.type = arrays.input_type;
  const PixelStrides& output = arrays.output_strides;
  const int64_t place = n * output.image + first * output.pixel + channel;
  product.c = {ElementAt(arrays.output, arrays.output_type, place), output.pixel, arrays.output_type};
  if (arrays.bias != nullptr) product.epilogue.bias = arrays.bias + channel;
  if (arrays.residual != nullptr) {
    const PixelStrides& strides = arrays.residual_strides;
    const int64_t residual = n * strides.image + first * strides.pixel + channel;
    product.epilogue.residual = {ElementAt(arrays.residual, arrays.residual_type, residual), strides.pixel,
                                 arrays.residual_type};
  }
  product.epilogue.activation = arrays.activation;
  if (arrays.int8 != nullptr) {
    product.weight.parameters = arrays.int8->weight_scales + channel;
    product.a.grid = arrays.int8->input;
    product.epilogue.residual.grid = arrays.int8->residual;
    product.c.grid = arrays.int8->output;
  }
  return product;
}

ProductShape ProductShapeOf(const ConvolutionGeometry& geometry) {
  return {geometry.batch * geometry.grid.position_count(), geometry.channels_out / geometry.groups,
          geometry.group_depth()};
}

const void* InputFrom(const ChannelsLastArrays& arrays, int64_t offset) {
  return ElementAt(arrays.input, arrays.input_type, offset);
}

}  // namespace kuiper_infer::kernel

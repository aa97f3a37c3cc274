// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_product.hpp"

#include "kernel/product/bfloat16_product.hpp"

namespace kuiper_infer::kernel {

WeightProduct MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                          int64_t group, int64_t first, int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  WeightProduct product;
  product.rows = rows;
  product.columns = geometry.channels_out / geometry.groups;
  product.depth = geometry.group_depth();
  const int64_t channel = group * product.columns;
  const ConvolutionMethod& method = *convolution.method;
  const int64_t group_bytes = method.weight_order->bytes({1, product.columns, product.depth, 1});
  product.weight = static_cast<const std::byte*>(arrays.weight) + group * group_bytes;
  product.weight_type = method.formats.weights;
  product.pieces = method.formats.pieces;
  product.c = arrays.output + n * arrays.output_strides.image + first * arrays.output_strides.pixel + channel;
  product.ldc = arrays.output_strides.pixel;
  if (arrays.bias != nullptr) product.bias = arrays.bias + channel;
  if (arrays.addend != nullptr) {
    product.addend = arrays.addend + n * arrays.addend_strides.image + first * arrays.addend_strides.pixel + channel;
    product.addend_ld = arrays.addend_strides.pixel;
  }
  product.activation = arrays.activation;
  return product;
}

namespace {

int64_t RowsOf(const ConvolutionGeometry& geometry) { return geometry.batch * geometry.grid.position_count(); }

}  // namespace

bool SuitsProduct(const NumberFormats& formats, const ConvolutionGeometry& geometry) {
  return formats.pieces == 0 || SuitsBFloat16(formats.pieces, RowsOf(geometry), geometry.channels_out / geometry.groups,
                                              geometry.group_depth());
}

double ProductTime(const NumberFormats& formats, const ConvolutionGeometry& geometry) {
  return formats.pieces == 0 ? 1 : BFloat16Time(formats.pieces, RowsOf(geometry));
}

}  // namespace kuiper_infer::kernel

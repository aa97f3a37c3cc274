// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_product.hpp"

#include "kernel/product/bfloat16/product.hpp"
#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {
namespace {

/// What both kinds of products have.
template <class Product>
Product MakeCommon(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                   int64_t group, int64_t first, int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  Product product;
  product.rows = rows;
  product.columns = geometry.channels_out / geometry.groups;
  product.depth = geometry.group_depth();
  const int64_t group_bytes = convolution.method->weight_order->bytes({1, product.columns, product.depth, 1});
  product.weight = static_cast<const std::byte*>(arrays.weight) + group * group_bytes;
  product.ldc = arrays.output_strides.pixel;
  product.addend_ld = arrays.addend_strides.pixel;
  product.a_type = arrays.input_type;
  product.c_type = arrays.output_type;
  const int64_t channel = group * product.columns;
  product.c = ElementAt(arrays.output, product.c_type, n * arrays.output_strides.image + first * product.ldc + channel);
  if (arrays.bias != nullptr) product.bias = arrays.bias + group * product.columns;
  product.activation = arrays.activation;
  return product;
}

/// What is added to the outputs of MakeCommon; null: nothing.
const void* AddendOf(const ChannelsLastArrays& arrays, int64_t n, int64_t first, int64_t channel) {
  if (arrays.addend == nullptr) return nullptr;
  const PixelStrides& strides = arrays.addend_strides;
  return ElementAt(arrays.addend, arrays.addend_type, n * strides.image + first * strides.pixel + channel);
}

int64_t RowsOf(const ConvolutionGeometry& geometry) { return geometry.batch * geometry.grid.position_count(); }

}  // namespace

template <>
WeightProduct MakeProduct<WeightProduct>(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                                         int64_t n, int64_t group, int64_t first, int64_t rows) {
  auto product = MakeCommon<WeightProduct>(convolution, arrays, n, group, first, rows);
  product.weight_type = convolution.method->formats.weights;
  product.addend = static_cast<const float*>(AddendOf(arrays, n, first, group * product.columns));
  return product;
}

template <>
Int8Product MakeProduct<Int8Product>(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                                     int64_t n, int64_t group, int64_t first, int64_t rows) {
  auto product = MakeCommon<Int8Product>(convolution, arrays, n, group, first, rows);
  const int64_t channel = group * product.columns;
  product.a_grid = arrays.int8->input;
  product.weight_scales = arrays.int8->weight_scales + channel;
  product.c_grid = arrays.int8->output;
  product.addend = AddendOf(arrays, n, first, channel);
  product.addend_type = arrays.addend_type;
  product.addend_grid = arrays.int8->addend;
  return product;
}

const void* InputFrom(const ChannelsLastArrays& arrays, int64_t offset) {
  return ElementAt(arrays.input, arrays.input_type, offset);
}

bool SuitsProduct(const NumberFormats& formats, const ConvolutionGeometry& geometry) {
  const int64_t columns = geometry.channels_out / geometry.groups;
  if (formats == kInt8) return columns >= kLeastInt8Channels && SuitsInt8(geometry.group_depth());
  const int pieces = formats.weights.bfloat16_pieces();
  return pieces == 0 || SuitsBFloat16(pieces, RowsOf(geometry), columns, geometry.group_depth());
}

double ProductTime(const NumberFormats& formats, const ConvolutionGeometry& geometry) {
  constexpr double kInt8Time = 0.25;  // compared among methods in integers only
  if (formats == kInt8) return kInt8Time;
  const int pieces = formats.weights.bfloat16_pieces();
  return pieces == 0
             ? 1
             : BFloat16Time(pieces, RowsOf(geometry), geometry.channels_out / geometry.groups, geometry.group_depth());
}

}  // namespace kuiper_infer::kernel

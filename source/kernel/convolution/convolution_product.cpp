// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_product.hpp"

#include "kernel/product/bfloat16/product.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Numbers from number `offset` on.
template <class Void>
Void* From(Void* numbers, RuntimeDataType type, int64_t offset) {
  using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
  return static_cast<Byte*>(numbers) + offset * static_cast<int64_t>(ElementBytes(type));
}

/// What both kinds of products have.
template <class Product>
Product MakeCommon(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t group,
                   int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  Product product;
  product.rows = rows;
  product.columns = geometry.channels_out / geometry.groups;
  product.depth = geometry.group_depth();
  const int64_t group_bytes = convolution.method->weight_order->bytes({1, product.columns, product.depth, 1});
  product.weight = static_cast<const std::byte*>(arrays.weight) + group * group_bytes;
  product.ldc = arrays.output_strides.pixel;
  product.addend_ld = arrays.addend_strides.pixel;
  if (arrays.bias != nullptr) product.bias = arrays.bias + group * product.columns;
  product.activation = arrays.activation;
  return product;
}

int64_t RowsOf(const ConvolutionGeometry& geometry) { return geometry.batch * geometry.grid.position_count(); }

}  // namespace

template <>
WeightProduct MakeProduct<float>(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                                 int64_t n, int64_t group, int64_t first, int64_t rows) {
  auto product = MakeCommon<WeightProduct>(convolution, arrays, group, rows);
  const int64_t channel = group * product.columns;
  product.weight_type = convolution.method->formats.weights;
  product.c = arrays.output + n * arrays.output_strides.image + first * product.ldc + channel;
  if (arrays.addend != nullptr) {
    product.addend = arrays.addend + n * arrays.addend_strides.image + first * product.addend_ld + channel;
  }
  return product;
}

template <>
Int8Product MakeProduct<uint8_t>(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                                 int64_t n, int64_t group, int64_t first, int64_t rows) {
  auto product = MakeCommon<Int8Product>(convolution, arrays, group, rows);
  const int64_t channel = group * product.columns;
  const Int8Arrays& numbers = *arrays.int8;
  product.a_type = numbers.input_type;
  product.a_grid = numbers.input_grid;
  product.weight_scales = numbers.weight_scales + channel;
  product.c_type = numbers.output_type;
  product.c_grid = numbers.output_grid;
  product.c = From(numbers.output, product.c_type, n * arrays.output_strides.image + first * product.ldc + channel);
  if (numbers.addend != nullptr) {
    const int64_t offset = n * arrays.addend_strides.image + first * product.addend_ld + channel;
    product.addend = From(numbers.addend, numbers.addend_type, offset);
    product.addend_type = numbers.addend_type;
    product.addend_grid = numbers.addend_grid;
  }
  return product;
}

const void* InputFrom(const ChannelsLastArrays& arrays, int64_t offset) {
  if (arrays.int8 == nullptr) return arrays.input + offset;
  return From(arrays.int8->input, arrays.int8->input_type, offset);
}

bool SuitsProduct(const NumberFormats& formats, const ConvolutionGeometry& geometry) {
  const int64_t columns = geometry.channels_out / geometry.groups;
  constexpr int64_t kLeastColumns = 8;
  if (formats == kInt8) return columns >= kLeastColumns && SuitsInt8(geometry.group_depth());
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

// SPDX-License-Identifier: MIT
// 1x1 windows: the image is the matrix already.
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry& geometry) { return geometry.grid.pointwise(); }

/// The product of pixels that follow each other, from pixel `first_pixel` of image n on.
template <class Product>
void MultiplyPixels(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                    int64_t group, int64_t first_pixel, int64_t pixels) {
  auto product = MakeProduct<Product>(convolution, arrays, n, group, 0, pixels);
  const int64_t channel = group * product.depth;
  product.lda = convolution.input.pixel;
  product.a = InputFrom(arrays, n * convolution.input.image + first_pixel * convolution.input.pixel + channel);
  if constexpr (std::is_same_v<Product, WeightProduct>) {
    if (arrays.factors != nullptr) product.factors = arrays.factors + n * convolution.geometry.channels_in + channel;
  }
  Multiply(product);
}

template <class Product>
void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t positions = geometry.grid.position_count();
  const auto follows = [&](const auto& strides) { return strides.image == positions * strides.pixel; };
  const bool together = follows(convolution.input) && follows(arrays.output_strides) &&
                        (arrays.addend == nullptr || follows(arrays.addend_strides)) && arrays.factors == nullptr;
  const int64_t pixels = together ? geometry.batch * positions : positions;
  for (int64_t n = 0; n < (together ? 1 : geometry.batch); ++n) {
    for (int64_t group = 0; group < geometry.groups; ++group) {
      MultiplyPixels<Product>(convolution, arrays, n, group, 0, pixels);
    }
  }
}

void RunRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
             int64_t first, int64_t last) {
  const int64_t columns = convolution.geometry.grid.positions[2];
  for (int64_t group = 0; group < convolution.geometry.groups; ++group) {
    MultiplyPixels<WeightProduct>(convolution, arrays, 0, group, (first - first_input) * columns,
                                  (last - first) * columns);
  }
}

}  // namespace

ConvolutionMethod DirectMethod(const NumberFormats& formats) {
  constexpr const char* kNames[] = {"direct", "direct_bfloat16", "direct_bfloat16x2", "direct_bfloat16x3"};
  ConvolutionMethod method;
  method.name = kNames[formats.weights.bfloat16_pieces()];
  method.formats = formats;
  method.weight_order = &PanelOrderOf(formats.weights);
  method.suits = Suits;
  method.run = Run<WeightProduct>;
  method.run_rows = RunRows;
  method.takes_factors = true;
  return method;
}

ConvolutionMethod DirectInt8Method() {
  ConvolutionMethod method;
  method.name = "direct_int8";
  method.formats = kInt8;
  method.weight_order = &Int8PanelOrder();
  method.suits = Suits;
  method.run = Run<Int8Product>;
  method.rounds_input = true;
  return method;
}

}  // namespace kuiper_infer::kernel

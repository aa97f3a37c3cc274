// SPDX-License-Identifier: MIT
// 1x1 windows: the image is the matrix already.
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& /*product*/) { return geometry.grid.pointwise(); }

const PackedLayout& Layout(const ProductKernel& product) { return product.Layout(Arrangement::kWindows); }

/// The product of pixels that follow each other, from pixel `first_pixel` of image n on.
void MultiplyPixels(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                    int64_t group, int64_t first_pixel, int64_t pixels) {
  Product product = MakeProduct(convolution, arrays, n, group, 0, pixels);
  const int64_t channel = group * product.depth;
  product.a.ld = convolution.input.pixel;
  product.a.data = InputFrom(arrays, n * convolution.input.image + first_pixel * convolution.input.pixel + channel);
  if (arrays.factors != nullptr) product.factors = arrays.factors + n * convolution.geometry.channels_in + channel;
  Multiply(product);
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t positions = geometry.grid.position_count();
  const auto follows = [&](const auto& strides) { return strides.image == positions * strides.pixel; };
  const bool together = follows(convolution.input) && follows(arrays.output_strides) &&
                        (arrays.residual == nullptr || follows(arrays.residual_strides)) && arrays.factors == nullptr;
  const int64_t pixels = together ? geometry.batch * positions : positions;
  for (int64_t n = 0; n < (together ? 1 : geometry.batch); ++n) {
    for (int64_t group = 0; group < geometry.groups; ++group) {
      MultiplyPixels(convolution, arrays, n, group, 0, pixels);
    }
  }
}

void RunRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
             int64_t first, int64_t last) {
  const int64_t columns = convolution.geometry.grid.positions[2];
  for (int64_t group = 0; group < convolution.geometry.groups; ++group) {
    MultiplyPixels(convolution, arrays, 0, group, (first - first_input) * columns, (last - first) * columns);
  }
}

}  // namespace

ConvolutionMethod DirectMethod() {
  ConvolutionMethod method;
  method.name = "direct";
  method.suits = Suits;
  method.layout = Layout;
  method.run = Run;
  method.run_rows = RunRows;
  method.takes_factors = true;
  method.rounds_input = true;
  return method;
}

}  // namespace kuiper_infer::kernel

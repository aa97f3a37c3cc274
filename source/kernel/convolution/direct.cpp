// SPDX-License-Identifier: MIT
// 1x1 windows: the image is the matrix already.
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"

namespace kuiper_infer::kernel {
namespace {

bool Suits(const ConvolutionGeometry& geometry) { return geometry.grid.pointwise(); }

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t positions = geometry.grid.position_count();
  const auto follows = [&](const auto& strides) { return strides.image == positions * strides.pixel; };
  const bool together = follows(convolution.input) && follows(arrays.output_strides) &&
                        (arrays.addend == nullptr || follows(arrays.addend_strides)) && arrays.factors == nullptr;
  for (int64_t n = 0; n < (together ? 1 : geometry.batch); ++n) {
    for (int64_t group = 0; group < geometry.groups; ++group) {
      WeightProduct product =
          MakeProduct(convolution, arrays, n, group, 0, together ? geometry.batch * positions : positions);
      product.a = arrays.input + n * convolution.input.image + group * product.depth;
      product.lda = convolution.input.pixel;
      if (arrays.factors != nullptr) {
        product.factors = arrays.factors + n * geometry.channels_in + group * product.depth;
      }
      MultiplyByWeight(product);
    }
  }
}

void RunRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
             int64_t first, int64_t last) {
  const int64_t columns = convolution.geometry.grid.positions[2];
  for (int64_t group = 0; group < convolution.geometry.groups; ++group) {
    WeightProduct product = MakeProduct(convolution, arrays, 0, group, 0, (last - first) * columns);
    product.a = arrays.input + (first - first_input) * columns * convolution.input.pixel + group * product.depth;
    product.lda = convolution.input.pixel;
    MultiplyByWeight(product);
  }
}

}  // namespace

ConvolutionMethod DirectMethod(int pieces) {
  constexpr const char* kNames[] = {"direct", "direct_bfloat16", "direct_bfloat16x2", "direct_bfloat16x3"};
  ConvolutionMethod method;
  method.name = kNames[pieces];
  method.formats = FormatsOf(pieces);
  method.weight_order = &PanelOrderOf(pieces);
  method.suits = Suits;
  method.run = Run;
  method.run_rows = RunRows;
  method.takes_factors = true;
  return method;
}

}  // namespace kuiper_infer::kernel

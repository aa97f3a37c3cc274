// SPDX-License-Identifier: MIT
// Windows are read where they are, a run of pixels after the other: a row of outputs is one product, its windows lie a
// stride apart, and the image rows under a window follow in segments. Padding, or another order of the image's axes,
// takes a padded copy.
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/padded_image.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Plane images and one group, no dilation along the rows; and the padded copy is not mostly padding.
bool Suits(const ConvolutionGeometry& geometry) {
  constexpr int64_t kMostGrowth = 4;
  const auto& [depth, height, width] = geometry.grid.window;
  const auto padded = geometry.grid.padded_image();
  return geometry.groups == 1 && width.dilation == 1 && depth.kernel == 1 && geometry.grid.image[0] == 1 &&
         geometry.grid.positions[0] == 1 && depth.padding_begin == 0 &&
         padded[0] * padded[1] * padded[2] <= kMostGrowth * geometry.grid.image_size();
}

double Cost(const ConvolutionGeometry& geometry, bool channels_last, int threads, double product_time) {
  // Shorter rows of outputs don't fill the registers' tiles evenly.
  constexpr int64_t kLongRow = 24;
  // A padded copy only pays where the image has to be copied anyway.
  const bool pays = geometry.grid.positions[2] >= kLongRow && !(geometry.grid.pads() && channels_last);
  return pays ? EstimateTime(WindowWork(geometry, sizeof(float)), threads, product_time) : kNotWorthwhile;
}

bool Copies(const ChannelsLastConvolution& convolution) {
  return convolution.geometry.grid.pads() || convolution.input.channel != 1;
}

PaddedImages CopyOf(const ConvolutionGeometry& geometry) {
  return {geometry.batch, geometry.channels_in, geometry.grid};
}

void Schedule(ChannelsLastConvolution& convolution, int) {
  if (Copies(convolution)) convolution.workspace_bytes = FloatBytes(CopyOf(convolution.geometry).size());
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  const float* input = arrays.input;
  ImageStrides strides = convolution.input;
  if (Copies(convolution)) {
    const PaddedImages padded = CopyOf(geometry);
    auto* copy = reinterpret_cast<float*>(arrays.workspace);
    CopyPadded(padded, arrays.input, convolution.input, copy);
    input = copy;
    strides = padded.strides();
  }
  const auto [planes, rows, columns] = geometry.grid.positions;
  const int64_t row_cost = columns * geometry.channels_out * geometry.group_depth() / 16;
  ParallelFor(geometry.batch * rows, GrainFor(row_cost),
              [&, rows = rows, columns = columns, h = height, w = width](int64_t first, int64_t last) {
                for (int64_t row = first; row < last; ++row) {
                  const int64_t n = row / rows;
                  const int64_t y = row % rows;
                  WeightProduct product = MakeProduct<float>(convolution, arrays, n, 0, y * columns, columns);
                  product.segments = h.kernel;
                  product.depth = w.kernel * geometry.channels_in;
                  product.segment_stride = h.dilation * strides.row;
                  product.a = input + n * strides.image + y * h.stride * strides.row;
                  product.lda = w.stride * strides.pixel;
                  MultiplyByWeight(product);
                }
              });
}

}  // namespace

ConvolutionMethod SegmentsMethod(const NumberFormats& formats) {
  constexpr const char* kNames[] = {"segments", "segments_bfloat16", "segments_bfloat16x2", "segments_bfloat16x3"};
  ConvolutionMethod method;
  method.name = kNames[formats.weights.bfloat16_pieces()];
  method.formats = formats;
  method.weight_order = &PanelOrderOf(formats.weights);
  method.suits = Suits;
  method.cost = Cost;
  method.schedule = Schedule;
  method.run = Run;
  method.reads_any_order = true;
  return method;
}

}  // namespace kuiper_infer::kernel

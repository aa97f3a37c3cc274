// SPDX-License-Identifier: MIT
// Windows are read where they are, a run of pixels after the other: a row of outputs is one product, its windows lie a
// stride apart, and the image rows under a window follow in segments. Padding, or another order of the image's axes,
// takes a padded copy.
#include <algorithm>
#include <type_traits>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/padded_image.hpp"
#include "shape/window_range.hpp"
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

/// The weights' segments are found by the taps alone.
bool SuitsInSquares(const ConvolutionGeometry& geometry) {
  const auto& [depth, height, width] = geometry.grid.window;
  return Suits(geometry) && height.kernel == width.kernel &&
         SuitsInt8(width.kernel * geometry.channels_in, height.kernel);
}

double Cost(const ConvolutionGeometry& geometry, bool channels_last, int threads, double product_time) {
  constexpr int64_t kLongRow = 24;  // shorter rows of outputs don't fill the registers' tiles evenly
  // A padded copy only pays where the image has to be copied anyway.
  const bool pays = geometry.grid.positions[2] >= kLongRow && !(geometry.grid.pads() && channels_last);
  return pays ? EstimateTime(WindowWork(geometry, sizeof(float)), threads, product_time) : kNotWorthwhile;
}

/// Products of bytes take little longer than making rows of them: a padded copy pays always.
double CostOfBytes(const ConvolutionGeometry& geometry, bool, int threads, double product_time) {
  constexpr int64_t kLongRow = 12;  // as that of floats; copying windows takes a larger part
  if (geometry.grid.positions[2] < kLongRow) return kNotWorthwhile;
  MatrixWork work = WindowWork(geometry, sizeof(uint8_t));
  work.others = static_cast<double>(geometry.batch * geometry.grid.image_size() * geometry.channels_in);
  return EstimateTime(work, threads, product_time);
}

bool Copies(const ChannelsLastConvolution& convolution) {
  const bool gaps = convolution.input.channel != 1 || convolution.input.pixel != convolution.geometry.channels_in;
  return convolution.geometry.grid.pads() || gaps;
}

PaddedImages CopyOf(const ConvolutionGeometry& geometry) {
  return {geometry.batch, geometry.channels_in, geometry.grid};
}

template <class T>
void Schedule(ChannelsLastConvolution& convolution, int) {
  if (!Copies(convolution)) return;
  convolution.workspace_bytes = AlignedBytes(CopyOf(convolution.geometry).size() * static_cast<int64_t>(sizeof(T)));
}

template <class T>
void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  const auto* input = static_cast<const T*>(InputFrom(arrays, 0));
  ImageStrides strides = convolution.input;
  if (Copies(convolution)) {
    T padding = 0;
    if constexpr (std::is_same_v<T, uint8_t>) padding = static_cast<T>(arrays.int8->input.zero_point);
    const PaddedImages padded = CopyOf(geometry);
    auto* copy = reinterpret_cast<T*>(arrays.workspace);
    CopyPadded(padded, input, convolution.input, copy, padding);
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
                  auto product = MakeProduct<ProductOf<T>>(convolution, arrays, n, 0, y * columns, columns);
                  product.segments = h.kernel;
                  product.depth = w.kernel * geometry.channels_in;
                  product.segment_stride = h.dilation * strides.row;
                  product.a = input + n * strides.image + y * h.stride * strides.row;
                  product.lda = w.stride * strides.pixel;
                  Multiply(product);
                }
              });
}

/// The rows [first, last) as a convolution of their own, of the image rows under them.
void RunRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first_input,
             int64_t first, int64_t last) {
  ChannelsLastConvolution part = convolution;
  part.geometry.batch = 1;
  WindowGrid& grid = part.geometry.grid;
  Window& window = grid.window[1];
  const auto [begin, end] = WindowSpan(window, {first, last});
  const int64_t inside = std::clamp<int64_t>(begin, 0, grid.image[1]);
  grid.positions[1] = last - first;
  grid.image[1] = std::clamp(end, inside, grid.image[1]) - inside;
  window.padding_begin = std::clamp<int64_t>(inside - begin, 0, end - begin);
  window.padding_end = end - begin - grid.image[1] - window.padding_begin;
  ChannelsLastArrays rows = arrays;
  rows.input = InputFrom(arrays, (inside - first_input) * convolution.input.row);
  convolution.method->run(part, rows);
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
  method.schedule = Schedule<float>;
  method.run = RunByInput<Run<float>, Run<uint16_t>>;
  method.run_rows = RunRows;
  method.reads_any_order = true;
  return method;
}

ConvolutionMethod SegmentsInt8Method() {
  ConvolutionMethod method;
  method.name = "segments_int8";
  method.formats = kInt8;
  method.weight_order = &Int8WindowRowOrder();
  method.suits = SuitsInSquares;
  method.cost = CostOfBytes;
  method.schedule = Schedule<uint8_t>;
  method.run = Run<uint8_t>;
  method.reads_any_order = true;
  return method;
}

}  // namespace kuiper_infer::kernel

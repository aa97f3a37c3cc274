// SPDX-License-Identifier: MIT
// Windows are read where they are, a run of pixels after the other: a row of outputs is one product, its windows lie a
// stride apart, and the image rows under a window follow in segments. Padding, or another order of the image's axes,
// takes a padded copy.
#include <algorithm>

#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/padded_image.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "shape/window_range.hpp"
#include "utils/element_at.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

bool OfBytes(const ProductKernel& product) { return product.left == RuntimeDataType::kTypeUInt8; }

/// Plane images and one group, no dilation along the rows; and the padded copy is not mostly padding.
bool SuitsAnyNumbers(const ConvolutionGeometry& geometry) {
  constexpr int64_t kMostGrowth = 4;
  const auto& [depth, height, width] = geometry.grid.window;
  const auto padded = geometry.grid.padded_image();
  return geometry.groups == 1 && width.dilation == 1 && depth.kernel == 1 && geometry.grid.image[0] == 1 &&
         geometry.grid.positions[0] == 1 && depth.padding_begin == 0 &&
         padded[0] * padded[1] * padded[2] <= kMostGrowth * geometry.grid.image_size();
}

/// Segments of a packed weight of bytes are filled up, so the number of taps must determine where they begin.
bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  if (!SuitsAnyNumbers(geometry) || !OfBytes(product)) return SuitsAnyNumbers(geometry);
  const auto& [depth, height, width] = geometry.grid.window;
  return height.kernel == width.kernel && SuitsInt8(width.kernel * geometry.channels_in, height.kernel);
}

const PackedLayout& Layout(const ProductKernel& product) {
  return product.Layout(OfBytes(product) ? Arrangement::kWindowRows : Arrangement::kWindows);
}

double Cost(const ConvolutionGeometry& geometry, bool channels_last, int threads, const ProductKernel& product) {
  const bool bytes = OfBytes(product);
  // Shorter rows of outputs don't fill the registers' tiles evenly. Copying windows takes a larger part of the time of
  // products of bytes.
  const int64_t long_row = bytes ? 12 : 24;
  // A padded copy of floats pays only if the image has to be copied anyway. Products of bytes take little longer than
  // making rows of bytes, so for them a copy always pays.
  const bool pays = bytes || !(geometry.grid.pads() && channels_last);
  if (geometry.grid.positions[2] < long_row || !pays) return kNotWorthwhile;
  MatrixWork work = WindowWork(geometry, InputBytes(product));
  // bfloat16 numbers are read in pairs: segments of odd length are copied.
  constexpr double kSegmentCopy = 500;
  if (product.RoundsToBFloat16() && geometry.grid.window[2].kernel * geometry.channels_in % 2 != 0) {
    work.others += work.rows * static_cast<double>(geometry.grid.window[1].kernel) * kSegmentCopy;
  }
  if (bytes) work.others = static_cast<double>(geometry.batch * geometry.grid.image_size() * geometry.channels_in);
  return EstimateTime(work, threads, product.Time(ProductShapeOf(geometry)));
}

bool Copies(const ChannelsLastConvolution& convolution) {
  const bool gaps = convolution.input.channel != 1 || convolution.input.pixel != convolution.geometry.channels_in;
  return convolution.geometry.grid.pads() || gaps;
}

PaddedImages CopyOf(const ConvolutionGeometry& geometry) {
  return {geometry.batch, geometry.channels_in, geometry.grid};
}

void Schedule(ChannelsLastConvolution& convolution, int /*threads*/) {
  if (!Copies(convolution)) return;
  convolution.workspace_bytes = AlignedBytes(CopyOf(convolution.geometry).size() * InputBytes(*convolution.product));
}

/// The image whose rows are read: the original or a copy.
struct Image {
  const void* numbers;
  RuntimeDataType type;
  ImageStrides strides;
};

Image ReadImage(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  if (!Copies(convolution)) return {arrays.input, arrays.input_type, convolution.input};
  const PaddedImages padded = CopyOf(convolution.geometry);
  // Windows overlap: numbers are rounded once, not for each row of outputs that reads them.
  if (convolution.product->RoundsToBFloat16() && arrays.input_type == RuntimeDataType::kTypeFloat32) {
    CopyPadded(padded, static_cast<const float*>(arrays.input), convolution.input,
               reinterpret_cast<uint16_t*>(arrays.workspace), uint16_t{0});
    return {arrays.workspace, RuntimeDataType::kTypeBFloat16, padded.strides()};
  }
  DispatchInput(arrays.input_type, [&](auto tag) {
    using T = decltype(tag);
    CopyPadded(padded, static_cast<const T*>(arrays.input), convolution.input, reinterpret_cast<T*>(arrays.workspace),
               PaddingOf<T>(arrays));
  });
  return {arrays.workspace, arrays.input_type, padded.strides()};
}

void Run(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  const Image image = ReadImage(convolution, arrays);
  const ImageStrides& strides = image.strides;
  const auto [planes, rows, columns] = geometry.grid.positions;
  const int64_t row_cost = columns * geometry.channels_out * geometry.group_depth() / 16;
  ParallelFor(geometry.batch * rows, GrainFor(row_cost),
              [&, rows = rows, columns = columns, h = height, w = width](int64_t first, int64_t last) {
                for (int64_t row = first; row < last; ++row) {
                  const int64_t n = row / rows;
                  const int64_t y = row % rows;
                  Product product = MakeProduct(convolution, arrays, n, 0, y * columns, columns);
                  product.segments = h.kernel;
                  product.depth = w.kernel * geometry.channels_in;
                  product.segment_stride = h.dilation * strides.row;
                  product.a.type = image.type;
                  product.a.data = ElementAt(image.numbers, image.type, n * strides.image + y * h.stride * strides.row);
                  product.a.ld = w.stride * strides.pixel;
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

ConvolutionMethod SegmentsMethod() {
  ConvolutionMethod method;
  method.name = "segments";
  method.suits = Suits;
  method.layout = Layout;
  method.cost = Cost;
  method.schedule = Schedule;
  method.run = Run;
  method.run_rows = RunRows;
  method.reads_any_order = true;
  return method;
}

}  // namespace kuiper_infer::kernel

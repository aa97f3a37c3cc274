// SPDX-License-Identifier: MIT
#include "kernel/channels_last.hpp"

#include <algorithm>

#include "kernel/channels_last_depthwise.hpp"
#include "kernel/weight_product.hpp"
#include "kernel/window_rows.hpp"
#include "kernel/winograd.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// A product's part for rows of positions [first, first + rows) of image n and for one group.
WeightProduct MakeProduct(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t n,
                          int64_t group, int64_t first, int64_t rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  WeightProduct product;
  product.rows = rows;
  product.columns = geometry.channels_out / geometry.groups;
  product.depth = geometry.group_depth();
  const int64_t channel = group * product.columns;
  product.weight = arrays.weight + group * PackedWeightSize(product.columns, product.depth);
  product.c = arrays.output + n * arrays.output_steps.image + first * arrays.output_steps.pixel + channel;
  product.ldc = arrays.output_steps.pixel;
  if (arrays.bias != nullptr) product.bias = arrays.bias + channel;
  if (arrays.addend != nullptr) {
    product.addend = arrays.addend + n * arrays.addend_steps.image + first * arrays.addend_steps.pixel + channel;
    product.addend_ld = arrays.addend_steps.pixel;
  }
  product.activation = arrays.activation;
  return product;
}

void MultiplyPixels(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t positions = geometry.grid.position_count();
  const auto follows = [&](const auto& steps) { return steps.image == positions * steps.pixel; };
  const bool together = follows(convolution.input) && follows(arrays.output_steps) &&
                        (arrays.addend == nullptr || follows(arrays.addend_steps)) && arrays.factors == nullptr;
  for (int64_t n = 0; n < (together ? 1 : geometry.batch); ++n) {
    for (int64_t group = 0; group < geometry.groups; ++group) {
      WeightProduct product =
          MakeProduct(convolution, arrays, n, group, 0, together ? geometry.batch * positions : positions);
      product.a = arrays.input + n * convolution.input.image + group * product.depth;
      product.lda = convolution.input.pixel;
      if (arrays.factors != nullptr)
        product.factors = arrays.factors + n * geometry.channels_in + group * product.depth;
      MultiplyByWeight(product);
    }
  }
}

/// Computes one piece: its rows, copied by all threads where they share it, then their product.
void MultiplyPiece(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t item,
                   float* rows) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const WindowGrid& grid = geometry.grid;
  const int64_t channels = geometry.channels_in / geometry.groups;
  const int64_t pieces = DivideUp(grid.position_count(), convolution.tile);
  const int64_t n = item / pieces / geometry.groups;
  const int64_t group = item / pieces % geometry.groups;
  const int64_t first = item % pieces * convolution.tile;
  const int64_t count = std::min(convolution.tile, grid.position_count() - first);
  WeightProduct product = MakeProduct(convolution, arrays, n, group, first, count);
  product.a = rows;
  product.lda = convolution.row_pitch();
  const float* image = arrays.input + n * convolution.input.image + group * channels;
  ParallelFor(count, GrainFor(product.depth / 8), [&](int64_t begin, int64_t end) {
    CopyWindowRows(grid, channels, first + begin, first + end, image, convolution.input.pixel,
                   rows + begin * product.lda, product.lda);
  });
  MultiplyByWeight(product);
}

/// Computes each row of outputs as a product: its windows lie a stride apart, the rows under a window follow in
/// segments.
void MultiplySegments(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const auto& [depth, height, width] = geometry.grid.window;
  const float* input = arrays.input;
  ImageSteps steps = convolution.input;
  if (convolution.pads) {
    const PaddedImages padded = convolution.padded();
    auto* copy = reinterpret_cast<float*>(arrays.workspace);
    CopyPadded(padded, arrays.input, convolution.input, copy);
    input = copy;
    steps = padded.steps();
  }
  const auto [planes, rows, columns] = geometry.grid.positions;
  const int64_t row_cost = columns * geometry.channels_out * geometry.group_depth() / 16;
  ParallelFor(geometry.batch * rows, GrainFor(row_cost),
              [&, rows = rows, columns = columns, h = height, w = width](int64_t first, int64_t last) {
                for (int64_t row = first; row < last; ++row) {
                  const int64_t n = row / rows;
                  const int64_t y = row % rows;
                  WeightProduct product = MakeProduct(convolution, arrays, n, 0, y * columns, columns);
                  product.segments = h.kernel;
                  product.depth = w.kernel * geometry.channels_in;
                  product.segment_step = h.dilation * steps.row;
                  product.a = input + n * steps.image + y * h.stride * steps.row;
                  product.lda = w.stride * steps.pixel;
                  MultiplyByWeight(product);
                }
              });
}

}  // namespace

void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  if (IsChannelwise(convolution.method)) return ConvolveDepthwise(convolution, arrays);
  if (convolution.method == ConvolutionMethod::kDirect) return MultiplyPixels(convolution, arrays);
  if (convolution.method == ConvolutionMethod::kSegments) return MultiplySegments(convolution, arrays);
  if (WinogradTile(convolution.method) > 0) return ConvolveWinograd(convolution, arrays);
  const ConvolutionGeometry& geometry = convolution.geometry;
  const int64_t items = geometry.batch * geometry.groups * DivideUp(geometry.grid.position_count(), convolution.tile);
  ParallelItems(items, convolution.slots, [&](int64_t slot, int64_t item) {
    auto* rows = reinterpret_cast<float*>(arrays.workspace + slot * convolution.slot_bytes);
    MultiplyPiece(convolution, arrays, item, rows);
  });
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
// Convolutions with as many groups as channels: each channel has its own window.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/channelwise/depthwise.cpp"

#include <algorithm>
#include <array>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/channelwise/depthwise_tiles-inl.hpp"
#include "kernel/convolution/channelwise/layout.hpp"
#include "kernel/convolution/channelwise/rows-inl.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The channels whose part of the image and of the weight stays in the first-level cache from one row of outputs to the
/// next, and the rows that are computed of these before the next channels.
constexpr int64_t kChannelBlock = 128;
constexpr int64_t kRowBlock = 8;

/// Computes channels [first, last) of a row in tiles. If tiles don't divide the row, the last tile begins earlier and
/// computes some windows again.
void ComputeTiles(const WindowRun& row, const WindowGrid& grid, const DepthwiseTileKind& kind,
                  const Activation& activation, int64_t first, int64_t last) {
  DepthwiseTile tile{};
  tile.rows = row.depth.empty() ? 0 : row.height.count();
  tile.image = row.image.From(first).data;
  tile.row_stride = row.height_stride;
  tile.pixel = row.window_stride / kind.stride;
  tile.columns = grid.image[2];
  tile.channels = last - first;
  tile.weight = row.weight + row.height.first * kind.kernel * row.channels + first;
  tile.weight_stride = row.channels;
  if (row.bias != nullptr) tile.bias = row.bias + first;
  tile.residual_stride = row.residual_stride;
  tile.output_stride = row.output_stride;
  tile.least = row.least;
  tile.most = row.most;
  tile.function = activation.InFloatTile();
  const bool applies = tile.function == TileFunction::kNone && !activation.Bounds();
  // Results that become bfloat16 numbers behind an activation.
  HWY_ALIGN float results[kMostTileWindows * kChannelBlock];
  const bool in_floats = applies && row.output.is_bfloat16();
  if (in_floats) tile.output_stride = kChannelBlock;
  tile.plain = row.residual.data == nullptr && tile.function == TileFunction::kNone;
  for (int64_t i = 0; i < grid.positions[2]; i += kind.windows) {
    const int64_t position = std::min(i, grid.positions[2] - kind.windows);
    tile.column = position * kind.stride - grid.window[2].padding_begin;
    if (row.residual.data != nullptr) tile.residual = row.residual.From(position * row.residual_stride + first);
    const FloatArray<void*> output = row.output.From(position * row.output_stride + first);
    tile.output = in_floats ? FloatArray<void*>{results} : output;
    kind.run(tile);
    const FloatRows rows{kind.windows, tile.channels, tile.output_stride};
    if (in_floats) {
      ApplyAndRound(activation, results, rows, static_cast<uint16_t*>(output.data), row.output_stride);
    } else if (applies) {
      ApplyToRows(activation, output, rows);
    }
  }
}

/// Computes rows of outputs [first, last). The pointers of `arrays` point to the rows `at_hand`.
void ComputeRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first,
                 int64_t last, FirstRows at_hand = {}) {
  const WindowGrid& grid = convolution.geometry.grid;
  const int64_t channels = convolution.geometry.channels_out;
  const DepthwiseTileKind* kind = FindTile(grid, arrays.input_type);
  std::array<WindowRun, kRowBlock> rows;
  for (int64_t begin = first; begin < last; begin += kRowBlock) {
    const int64_t count = std::min(kRowBlock, last - begin);
    for (int64_t i = 0; i < count; ++i) SetRow(convolution, arrays, begin + i, at_hand, rows[i]);
    for (int64_t channel = 0; kind != nullptr && channel < channels; channel += kChannelBlock) {
      const int64_t end = std::min(channels, channel + kChannelBlock);
      for (int64_t i = 0; i < count; ++i) ComputeTiles(rows[i], grid, *kind, arrays.activation, channel, end);
    }
    for (int64_t i = 0; kind == nullptr && i < count; ++i) {
      ComputeWindows(rows[i], grid, arrays.activation, RunDepthwise<kRunWindows>, RunDepthwise<1>);
    }
  }
}

}  // namespace

void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  ComputeAllRows(convolution.geometry,
                 [&](int64_t first, int64_t last) { ComputeRows(convolution, arrays, first, last); });
}

void ConvolveDepthwiseRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                           int64_t first_input, int64_t first, int64_t last) {
  ComputeRows(convolution, arrays, first, last, {first_input, first});
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {
namespace {

KUIPER_SIMD_TABLE(ConvolveDepthwise);
KUIPER_SIMD_TABLE(ConvolveDepthwiseRows);

bool Suits(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  return &product.format == &kFloat32Format && geometry.groups > 1 && geometry.groups == geometry.channels_in &&
         geometry.groups == geometry.channels_out;
}

}  // namespace

ConvolutionMethod DepthwiseMethod() {
  ConvolutionMethod method;
  method.name = "depthwise";
  method.layout = LayoutChannelwise;
  method.suits = Suits;
  method.run = KUIPER_SIMD(ConvolveDepthwise);
  method.run_rows = KUIPER_SIMD(ConvolveDepthwiseRows);
  method.along_channels = true;
  method.stores_bfloat16 = true;
  return method;
}

}  // namespace kuiper_infer::kernel
#endif

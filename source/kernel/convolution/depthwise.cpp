// SPDX-License-Identifier: MIT
// As many groups as channels: each channel has a window of its own.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/depthwise.cpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/channelwise_order.hpp"
#include "kernel/convolution/channelwise_rows-inl.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/convolution/depthwise_tile-inl.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The tile made for a geometry whose tiles overlap least; null where there is none.
const DepthwiseTileKind* FindTile(const WindowGrid& grid) {
  const auto& [depth, height, width] = grid.window;
  const auto computed = [&](const DepthwiseTileKind& kind) { return RoundUp(grid.positions[2], kind.windows); };
  const DepthwiseTileKind* best = nullptr;
  for (const DepthwiseTileKind& kind : kDepthwiseTiles) {
    const bool fits = kind.kernel == width.kernel && kind.stride == width.stride && width.dilation == 1 &&
                      depth.kernel == 1 && grid.positions[2] >= kind.windows;
    if (fits && (best == nullptr || computed(kind) < computed(*best))) best = &kind;
  }
  return best;
}

/// A row in tiles; the last one begins earlier where they don't divide the row, and computes some windows once more.
void ComputeTiles(const WindowRun& row, const WindowGrid& grid, const DepthwiseTileKind& kind,
                  const Activation& activation) {
  DepthwiseTile tile{};
  tile.rows = row.depth.empty() ? 0 : row.height.count();
  tile.image = row.image;
  tile.row_stride = row.height_stride;
  tile.pixel = row.window_stride / kind.stride;
  tile.columns = grid.image[2];
  tile.channels = row.channels;
  tile.weight = row.weight + row.height.first * kind.kernel * row.channels;
  tile.bias = row.bias;
  tile.addend_stride = row.addend_stride;
  tile.output_stride = row.output_stride;
  tile.least = row.least;
  tile.most = row.most;
  for (int64_t i = 0; i < grid.positions[2]; i += kind.windows) {
    const int64_t position = std::min(i, grid.positions[2] - kind.windows);
    tile.column = position * kind.stride - grid.window[2].padding_begin;
    if (row.addend != nullptr) tile.addend = row.addend + position * row.addend_stride;
    tile.output = row.output + position * row.output_stride;
    kind.run(tile);
    if (!activation.Bounds()) activation.ApplyRows(tile.output, kind.windows, row.channels, row.output_stride);
  }
}

/// Rows of outputs [first, last); `at_hand` are those to which the pointers of `arrays` point.
void ComputeRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first,
                 int64_t last, FirstRows at_hand = {}) {
  const WindowGrid& grid = convolution.geometry.grid;
  const DepthwiseTileKind* kind = FindTile(grid);
  for (int64_t i = first; i < last; ++i) {
    const WindowRun row = MakeRow(convolution, arrays, i, at_hand);
    if (kind != nullptr) {
      ComputeTiles(row, grid, *kind, arrays.activation);
    } else {
      ComputeWindows(row, grid, arrays.activation, RunDepthwise<kRunWindows>, RunDepthwise<1>);
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

bool Suits(const ConvolutionGeometry& geometry) {
  return geometry.groups > 1 && geometry.groups == geometry.channels_in && geometry.groups == geometry.channels_out;
}

}  // namespace

ConvolutionMethod DepthwiseMethod() {
  ConvolutionMethod method;
  method.name = "depthwise";
  method.weight_order = &kChannelwiseOrder;
  method.suits = Suits;
  method.run = KUIPER_SIMD(ConvolveDepthwise);
  method.run_rows = KUIPER_SIMD(ConvolveDepthwiseRows);
  method.along_channels = true;
  return method;
}

}  // namespace kuiper_infer::kernel
#endif

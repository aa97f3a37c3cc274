// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/channels_last_depthwise.cpp"
#include "kernel/channels_last_depthwise.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/depthwise_tile-inl.hpp"
#include "kernel/depthwise_windows-inl.hpp"
#include "kernel/grouped_windows-inl.hpp"
#include "kernel/window_range.hpp"
#include "utils/parallel.hpp"
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

/// Computes a row in tiles; the last one begins earlier where they don't divide the row, and computes some windows once
/// more.
void ComputeTiles(const WindowRun& row, const WindowGrid& grid, const DepthwiseTileKind& kind,
                  const Activation& activation) {
  DepthwiseTile tile{};
  tile.rows = row.depth.empty() ? 0 : row.height.count();
  tile.image = row.image;
  tile.row_step = row.height_step;
  tile.pixel = row.window_step / kind.stride;
  tile.columns = grid.image[2];
  tile.channels = row.channels;
  tile.weight = row.weight + row.height.first * kind.kernel * row.channels;
  tile.bias = row.bias;
  tile.addend_step = row.addend_step;
  tile.output_step = row.output_step;
  tile.least = row.least;
  tile.most = row.most;
  for (int64_t i = 0; i < grid.positions[2]; i += kind.windows) {
    const int64_t position = std::min(i, grid.positions[2] - kind.windows);
    tile.column = position * kind.stride - grid.window[2].padding_begin;
    if (row.addend != nullptr) tile.addend = row.addend + position * row.addend_step;
    tile.output = row.output + position * row.output_step;
    kind.run(tile);
    if (!activation.Bounds()) activation.ApplyRows(tile.output, kind.windows, row.channels, row.output_step);
  }
}

/// Computes a row of windows of any kind, those inside the image in runs; `groups` is null for single channels.
void ComputeWindows(const WindowRun& row, const WindowGrid& grid, const GroupLanes* groups,
                    const Activation& activation) {
  const Window& width = grid.window[2];
  const int64_t pixel = row.window_step / width.stride;
  for (int64_t w = 0; w < grid.positions[2];) {
    WindowRun run = row;
    run.width = TapsInside(width, w, grid.image[2]);
    // The last of the windows lies inside, so all between do.
    const bool inside = run.width.count() == width.kernel && w + kRunWindows <= grid.positions[2] &&
                        TapsInside(width, w + kRunWindows - 1, grid.image[2]).count() == width.kernel;
    run.image += run.width.start * pixel;
    run.output += w * row.output_step;
    if (run.addend != nullptr) run.addend += w * row.addend_step;
    const int64_t count = inside ? kRunWindows : 1;
    if (groups != nullptr) {
      inside ? RunGrouped<kRunWindows>(run, *groups) : RunGrouped<1>(run, *groups);
    } else {
      inside ? RunDepthwise<kRunWindows>(run) : RunDepthwise<1>(run);
    }
    if (!activation.Bounds()) activation.ApplyRows(run.output, count, run.channels, run.output_step);
    w += count;
  }
}

/// The rows of the images to which an operation's pointers point.
struct FirstRows {
  int64_t input = 0;
  int64_t output = 0;
};

/// Row `index` of the outputs of all images; pointers to its first window.
WindowRun MakeRow(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t index,
                  FirstRows at_hand = {}) {
  const WindowGrid& grid = convolution.geometry.grid;
  const auto& [depth, height, width] = grid.window;
  const int64_t h = index % grid.positions[1];
  const int64_t d = index / grid.positions[1] % grid.positions[0];
  const int64_t n = index / grid.positions[1] / grid.positions[0];
  const int64_t pixel = convolution.input.pixel;
  const int64_t image_row = grid.image[2] * pixel;
  const int64_t position = (d * grid.positions[1] + h - at_hand.output) * grid.positions[2];
  const ActivationBounds limits = arrays.activation.Bounds().value_or(ActivationBounds{});
  WindowRun row{};
  row.depth = TapsInside(depth, d, grid.image[0]);
  row.height = TapsInside(height, h, grid.image[1]);
  row.image = arrays.input + n * convolution.input.image +
              (row.depth.start * grid.image[1] + row.height.start - at_hand.input) * image_row;
  row.depth_step = depth.dilation * grid.image[1] * image_row;
  row.height_step = height.dilation * image_row;
  row.width_step = width.dilation * pixel;
  row.window_step = width.stride * pixel;
  row.kernel_height = height.kernel;
  row.kernel_width = width.kernel;
  row.channels = convolution.geometry.channels_out;
  row.weight = arrays.weight;
  row.bias = arrays.bias;
  if (arrays.addend != nullptr) {
    row.addend = arrays.addend + n * arrays.addend_steps.image + position * arrays.addend_steps.pixel;
  }
  row.addend_step = arrays.addend_steps.pixel;
  row.output = arrays.output + n * arrays.output_steps.image + position * arrays.output_steps.pixel;
  row.output_step = arrays.output_steps.pixel;
  row.least = limits.least;
  row.most = limits.most;
  return row;
}

void ComputeRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t first,
                 int64_t last, FirstRows at_hand = {}) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const bool grouped = convolution.method == ConvolutionMethod::kGrouped;
  const DepthwiseTileKind* kind = grouped ? nullptr : FindTile(geometry.grid);
  const GroupLanes lanes(geometry.channels_in / geometry.groups, geometry.channels_out / geometry.groups);
  for (int64_t i = first; i < last; ++i) {
    const WindowRun row = MakeRow(convolution, arrays, i, at_hand);
    kind != nullptr ? ComputeTiles(row, geometry.grid, *kind, arrays.activation)
                    : ComputeWindows(row, geometry.grid, grouped ? &lanes : nullptr, arrays.activation);
  }
}

}  // namespace

bool SuitsGroupedVectors(const ConvolutionGeometry& geometry) {
  const int64_t inputs = geometry.channels_in / geometry.groups;
  const int64_t outputs = geometry.channels_out / geometry.groups;
  return geometry.groups > 1 && inputs > 0 && inputs <= outputs && GroupLanes::kMost % outputs == 0;
}

void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  const Extents3& positions = geometry.grid.positions;
  const int64_t row_cost = geometry.channels_out * positions[2] * geometry.grid.taps() / 8;
  ParallelFor(geometry.batch * positions[0] * positions[1], GrainFor(row_cost),
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

KUIPER_SIMD_TABLE(SuitsGroupedVectors);
KUIPER_SIMD_TABLE(ConvolveDepthwise);
KUIPER_SIMD_TABLE(ConvolveDepthwiseRows);

bool SuitsGroupedVectors(const ConvolutionGeometry& geometry) { return KUIPER_SIMD(SuitsGroupedVectors)(geometry); }

void ConvolveDepthwise(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(ConvolveDepthwise)(convolution, arrays);
}

void ConvolveDepthwiseRows(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays,
                           int64_t first_input, int64_t first, int64_t last) {
  KUIPER_SIMD(ConvolveDepthwiseRows)(convolution, arrays, first_input, first, last);
}

}  // namespace kuiper_infer::kernel
#endif

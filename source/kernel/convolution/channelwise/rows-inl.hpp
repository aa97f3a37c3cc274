// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_CONVOLUTION_CHANNELWISE_ROWS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_CONVOLUTION_CHANNELWISE_ROWS_INL_HPP_
#undef KUIPER_KERNEL_CONVOLUTION_CHANNELWISE_ROWS_INL_HPP_
#else
#define KUIPER_KERNEL_CONVOLUTION_CHANNELWISE_ROWS_INL_HPP_
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/channelwise/depthwise_windows-inl.hpp"
#include "shape/window_range.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// What the methods share whose weights are packed channelwise (layout.hpp): rows of outputs, cut into runs of windows.

/// The rows of the images to which an operation's pointers point.
struct FirstRows {
  int64_t input = 0;
  int64_t output = 0;
};

/// Makes `row` row `index` of the outputs of all images, with pointers to its first window. It is written where it
/// stays: copied as vectors, it would wait until its fields have reached the cache.
inline void SetRow(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays, int64_t index,
                   FirstRows at_hand, WindowRun& row) {
  const WindowGrid& grid = convolution.geometry.grid;
  const auto& [depth, height, width] = grid.window;
  const int64_t h = index % grid.positions[1];
  const int64_t d = index / grid.positions[1] % grid.positions[0];
  const int64_t n = index / grid.positions[1] / grid.positions[0];
  const int64_t pixel = convolution.input.pixel;
  const int64_t image_row = grid.image[2] * pixel;
  const int64_t position = (d * grid.positions[1] + h - at_hand.output) * grid.positions[2];
  const ActivationBounds limits = arrays.activation.Bounds().value_or(ActivationBounds{});
  row.depth = TapsInside(depth, d, grid.image[0]);
  row.height = TapsInside(height, h, grid.image[1]);
  const int64_t first_row = row.depth.start * grid.image[1] + row.height.start - at_hand.input;
  row.image = {arrays.input, arrays.input_type};
  row.image = row.image.From(n * convolution.input.image + first_row * image_row);
  row.depth_stride = depth.dilation * grid.image[1] * image_row;
  row.height_stride = height.dilation * image_row;
  row.width_stride = width.dilation * pixel;
  row.window_stride = width.stride * pixel;
  row.kernel_height = height.kernel;
  row.kernel_width = width.kernel;
  row.channels = convolution.geometry.channels_out;
  row.weight = static_cast<const float*>(arrays.weight);
  row.bias = arrays.bias;
  const auto place_in = [&](const PixelStrides& strides) { return n * strides.image + position * strides.pixel; };
  row.residual = {arrays.residual, arrays.residual_type};
  if (arrays.residual != nullptr) row.residual = row.residual.From(place_in(arrays.residual_strides));
  row.residual_stride = arrays.residual_strides.pixel;
  row.output = {arrays.output, arrays.output_type};
  row.output = row.output.From(place_in(arrays.output_strides));
  row.output_stride = arrays.output_strides.pixel;
  row.least = static_cast<float>(limits.least);
  row.most = static_cast<float>(limits.most);
}

/// A row of windows of any kind: run_several(run) computes kRunWindows windows that lie inside the image, run_one(run)
/// a single one.
template <class RunSeveral, class RunOne>
void ComputeWindows(const WindowRun& row, const WindowGrid& grid, const Activation& activation,
                    const RunSeveral& run_several, const RunOne& run_one) {
  const Window& width = grid.window[2];
  const int64_t pixel = row.window_stride / width.stride;
  for (int64_t w = 0; w < grid.positions[2];) {
    WindowRun run = row;
    run.width = TapsInside(width, w, grid.image[2]);
    // The last of the windows lies inside, so all between do.
    const bool inside = run.width.count() == width.kernel && w + kRunWindows <= grid.positions[2] &&
                        TapsInside(width, w + kRunWindows - 1, grid.image[2]).count() == width.kernel;
    run.image = row.image.From(run.width.start * pixel);
    run.output = row.output.From(w * row.output_stride);
    if (run.residual.data != nullptr) run.residual = row.residual.From(w * row.residual_stride);
    const int64_t count = inside ? kRunWindows : 1;
    inside ? run_several(run) : run_one(run);
    if (!activation.Bounds()) ApplyToRows(activation, run.output, {count, run.channels, run.output_stride});
    w += count;
  }
}

/// Calls compute(first, last) for all rows of outputs, spread over the threads.
template <class Compute>
void ComputeAllRows(const ConvolutionGeometry& geometry, const Compute& compute) {
  const Extents3& positions = geometry.grid.positions;
  const int64_t row_cost = geometry.channels_out * positions[2] * geometry.grid.taps() / 8;
  ParallelFor(geometry.batch * positions[0] * positions[1], GrainFor(row_cost), compute);
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

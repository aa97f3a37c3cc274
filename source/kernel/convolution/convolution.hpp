// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "shape/window_grid.hpp"

namespace kuiper_infer::kernel {

/// Sizes of a convolution of any dimension up to three. Group g reads the channels_in / groups input channels from g *
/// channels_in / groups on and gives the channels_out / groups output channels from g * channels_out / groups on;
/// `groups` divides both.
struct ConvolutionGeometry {
  int64_t batch = 1;
  int64_t channels_in = 1;
  int64_t channels_out = 1;
  int64_t groups = 1;
  /// `image` is the input of a convolution and the output of a transposed one, `positions` the reverse.
  WindowGrid grid;

  double multiply_adds() const;
  /// The number of products that one output sums: the group's channels at each tap.
  int64_t group_depth() const { return channels_in / groups * grid.taps(); }
};

/// How a convolution is cut into pieces: decided once, so that the scratch memory is known before it runs.
struct ConvolutionSchedule {
  enum class Method {
    kPointwise,  ///< the input is the matrix already
    kColumns,    ///< windows are copied into a matrix, tile by tile
    kDepthwise,  ///< a direct loop, one plane at a time
  };
  Method method = Method::kColumns;
  /// Pieces that may run at once, each with its own part of the workspace; 1 leaves the threads to each product.
  int64_t workers = 1;
  /// Window positions per matrix product.
  int64_t tile = 1;
  int64_t worker_bytes = 0;
  int64_t workspace_bytes = 0;

  /// Whether ConvolutionWeight::packed is read, where it is there.
  bool reads_packed() const { return method != Method::kDepthwise; }
};

/// Cuts a convolution for `threads` threads; a run with another number of threads is right too.
ConvolutionSchedule ScheduleConvolution(const ConvolutionGeometry& geometry, int64_t element_bytes, int threads);
ConvolutionSchedule ScheduleTransposedConvolution(const ConvolutionGeometry& geometry, int64_t element_bytes,
                                                  int threads);

/// The weight of a convolution.
template <class T>
struct ConvolutionWeight {
  const T* plain;  ///< row-major (channels_out, channels_in / groups, taps)
  /// The weight packed for kernel::MultiplyPackedLeft, one group behind the other, or null. Only for float; see
  /// ConvolutionSchedule::reads_packed.
  const float* packed = nullptr;
  const T* bias = nullptr;  ///< (channels_out) or none
};

/// output[n, o, p] = activation(bias[o] + sum over channels c of o's group and taps t of weight[o, c, t] * input[n, c,
/// p's t]), where input outside of the image counts as zero. Row-major arrays without gaps: input (batch, channels_in,
/// image), bias (channels_out) or null, output (batch, channels_out, positions). `workspace` has
/// schedule.workspace_bytes, 64-byte aligned. Instantiated for float and double.
template <class T>
void Convolution(const ConvolutionGeometry& geometry, const ConvolutionSchedule& schedule, const T* input,
                 const ConvolutionWeight<T>& weight, const Activation& activation, T* output, std::byte* workspace);

/// The transpose of a convolution: every input element adds weight * input to the image elements under its window.
/// Row-major: input (batch, channels_in, positions), weight (channels_in, channels_out / groups, taps), bias
/// (channels_out) or null, output (batch, channels_out, image).
template <class T>
void TransposedConvolution(const ConvolutionGeometry& geometry, const ConvolutionSchedule& schedule, const T* input,
                           const T* weight, const T* bias, T* output, std::byte* workspace);

}  // namespace kuiper_infer::kernel

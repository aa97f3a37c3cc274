// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "kernel/convolution/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Successive convolutions, computed a band of image rows at a time, so that the images between them stay in the
/// cache: mobile nets widen an image's channels, filter each channel and narrow them again, and the wide images
/// are far larger than the cache. The idea is that of "fused-layer" accelerators (Alwani et al., 2016).
struct ConvolutionChain {
  static constexpr int kMost = 3;
  int count = 0;
  std::array<ChannelsLastConvolution, kMost> stages;
  int64_t band = 1;  ///< rows of the last stage's output that are computed at once
  /// Horizontal pieces of each image, several of which may be computed at once; rows where pieces meet are computed
  /// twice.
  int64_t pieces = 1;
  int64_t workers = 1;                                      ///< how many pieces may be computed at once
  RuntimeDataType between = RuntimeDataType::kTypeFloat32;  ///< type of the images between stages: float32 or bfloat16
  std::array<int64_t, kMost> buffer_rows{};                 ///< of the output of each stage but the last, that are kept
  int64_t scratch_bytes = 0;                                ///< of the first stage, in a worker's part of the workspace
  int64_t worker_bytes = 0;
  int64_t workspace_bytes = 0;
};

/// Whether a convolution can be the first stage or, if not `first`, a later one. It can if it is two-dimensional and
/// its method can compute some rows of a float image. Only the first stage may need scratch memory.
bool CanBeChained(const ChannelsLastConvolution& convolution, bool first);

/// Whether it pays not to write the output of `stage` whole: it would leave the cache before it is read.
bool IsWorthChaining(const ChannelsLastConvolution& stage);

/// Adds a stage behind the others, whose input is their output, and cuts the work anew for `threads` threads.
void AddStage(const ChannelsLastConvolution& stage, int threads, ConvolutionChain& chain);

/// Lets the chain compute `band` rows at once, instead of as many as its buffers may hold.
void SetBand(int64_t band, ConvolutionChain& chain);

/// Runs the stages, each with its own arrays. Only the first one's `input` and the last one's `output`, `residual` and
/// `workspace` (of the chain's size) count; `factors` are not used.
void ConvolveChain(const ConvolutionChain& chain,
                   const std::array<ChannelsLastArrays, ConvolutionChain::kMost>& arrays);

}  // namespace kuiper_infer::kernel

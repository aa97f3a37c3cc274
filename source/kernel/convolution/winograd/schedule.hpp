// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/cost.hpp"

namespace kuiper_infer::kernel {

/// Whether Winograd's convolutions come into question: plane images, 3x3 windows of stride 1, one group.
bool SuitsWinograd(const ConvolutionGeometry& geometry);

/// What tiles of m x m outputs take.
struct WinogradMemory {
  int64_t m;
  int64_t image_bytes;    ///< of a transformed number
  int64_t product_bytes;  ///< of a number that its products come to
  int64_t weight_bytes;   ///< of the packed weight, as far as reading it takes time
  int64_t least_tiles;    ///< of a piece: with fewer for each thread, the threads share the products instead
};

/// Sets how many tiles a piece has, workers and scratch memory: of each worker the transformed images of a piece, then
/// its products.
void ScheduleWinograd(ChannelsLastConvolution& convolution, int threads, const WinogradMemory& memory);

/// Estimated work of a convolution that is scheduled so. A number transformed and kept takes as long as `transform`
/// multiply-adds.
MatrixWork WinogradWork(const ChannelsLastConvolution& convolution, int64_t m, double transform);

}  // namespace kuiper_infer::kernel

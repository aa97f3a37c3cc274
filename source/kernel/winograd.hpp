// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Convolutions with 3x3 windows of stride 1 by Winograd's minimal filtering: a tile of m x m outputs takes (m + 2)^2
/// multiplications for each pair of channels instead of 9 m^2. Image tiles and weights are transformed,
///     V = B' d B,  U = G g G',  Y = A' (U * V) A,
/// so that the products for all tiles become (m + 2)^2 matrix products (A. Lavin and S. Gray, "Fast Algorithms for
/// Convolutional Neural Networks", 2015). m is 2, 4 or 6; rounding errors grow with m.

/// The m of a Winograd method, 0 for others.
int64_t WinogradTile(ConvolutionMethod method);

/// Whether Winograd's algorithm is for this geometry: any 3x3 window of stride and dilation 1, one group.
bool SuitsWinograd(const ConvolutionGeometry& geometry);

/// Sets slots, tile (image tiles of a piece) and workspace of a convolution whose method is chosen.
void ScheduleWinograd(ChannelsLastConvolution& convolution, int threads);

/// Floats of the transformed weight, and the transform of a row-major (channels_out, channels_in, 3, 3) weight.
int64_t WinogradWeightSize(const ConvolutionGeometry& geometry, int64_t m);
void TransformWinogradWeight(const ConvolutionGeometry& geometry, int64_t m, const float* weight, float* packed);

void ConvolveWinograd(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel

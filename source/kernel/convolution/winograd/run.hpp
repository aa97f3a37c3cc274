// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/convolution/channels_last.hpp"

namespace kuiper_infer::kernel {

/// Convolutions with 3x3 windows of stride 1 by Winograd's minimal filtering: a tile of m x m outputs takes (m + 2)^2
/// multiplications for each pair of channels instead of 9 m^2. Image tiles and weights are transformed,
///     V = B' d B,  U = G g G',  Y = A' (U * V) A,
/// so that the products for all tiles become (m + 2)^2 matrix products (A. Lavin and S. Gray, "Fast Algorithms for
/// Convolutional Neural Networks", 2015). m is 2, 4 or 6; rounding errors grow with m.

/// A run, for each m. `tile` of the convolution counts image tiles; the weight is U, plane after plane, each of them in
/// the panels of the float32 kernel.
void RunWinograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);
void RunWinograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);
void RunWinograd6(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays);

}  // namespace kuiper_infer::kernel

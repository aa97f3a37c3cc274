// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "kernel/convolution/convolution.hpp"

namespace kuiper_infer::kernel {

/// A two-dimensional convolution whose windows read the image at shifted points (J. Dai et al., "Deformable
/// convolutional networks", 2017; with a mask X. Zhu et al., "Deformable ConvNets v2", 2018).
struct DeformConvolutionGeometry {
  /// The grid's depth is 1.
  ConvolutionGeometry convolution;
  /// The number of groups of input channels; each group has shifts of its own.
  int64_t offset_groups = 1;

  /// Pieces that run at once, each with scratch memory of WorkerElements() elements.
  int64_t workers = 1;
  int64_t WorkerElements() const;
};

/// Tap t of window p of channel group g reads the image, bilinearly and with zeros around it, at its place plus
/// (offset[n, g, t, 0, p], offset[n, g, t, 1, p]) rows and columns, times mask[n, g, t, p]. Row-major arrays without
/// gaps: input, weight, bias (or null) and output as for Convolution, offset (batch, offset_groups, taps, 2,
/// positions), mask (batch, offset_groups, taps, positions) or null. `workspace` holds workers * WorkerElements()
/// elements. Instantiated for float and double.
template <class T>
void DeformConvolution(const DeformConvolutionGeometry& geometry, const T* input, const T* offset, const T* mask,
                       const T* weight, const T* bias, T* output, std::byte* workspace);

}  // namespace kuiper_infer::kernel

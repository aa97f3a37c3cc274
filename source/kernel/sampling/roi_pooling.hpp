// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::kernel {

/// Regions of interest, each cut into bins_high x bins_wide bins. A bin gives one number for each output channel.
struct RoiGeometry {
  int64_t batch = 1;
  int64_t channels = 1;
  int64_t height = 1;  ///< of the image, at least 1
  int64_t width = 1;
  int64_t regions = 0;
  int64_t bins_high = 1;
  int64_t bins_wide = 1;
  /// Image elements per unit of the regions' coordinates.
  double scale = 1;
  /// Whether bin (y, x) of output channel c reads input channel (c * bins_high + y) * bins_wide + x, so that there are
  /// channels / (bins_high * bins_wide) output channels (J. Dai et al., "R-FCN", 2016); otherwise each channel gives
  /// one.
  bool position_sensitive = false;

  int64_t bins() const { return bins_high * bins_wide; }
  int64_t channels_out() const { return position_sensitive ? channels / bins() : channels; }
  /// The input channel of output channel c in bin `bin`.
  int64_t channel_in(int64_t c, int64_t bin) const { return position_sensitive ? c * bins() + bin : c; }
};

/// All functions here take these arrays: input (batch, channels, height, width), rois (regions, 5) with the image's
/// index, then left, top, right and bottom, output (regions, channels_out, bins_high, bins_wide); row-major without
/// gaps, not overlapping. Images' indices are valid (see FindInvalidRoi); coordinates may be any. Instantiated for
/// float and double.

/// The first region whose image index is not in [0, batch), or -1.
template <class T>
int64_t FindInvalidRoi(const RoiGeometry& geometry, const T* rois);

/// Finds the largest element under each bin, whose borders are whole numbers, and its offset in its plane (if the
/// pointer is null, offsets are not written). An empty bin gives 0 and -1 (R. Girshick, "Fast R-CNN", 2015).
template <class T>
void RoiMaxPool(const RoiGeometry& geometry, const T* input, const T* rois, T* output, int32_t* indices);

/// Computes the mean of the elements under each bin, of one channel for each bin; an empty bin gives 0.
/// Position-sensitive geometry only.
template <class T>
void RoiAveragePool(const RoiGeometry& geometry, const T* input, const T* rois, T* output);

/// The sampling of RoiAlign.
struct RoiSampling {
  /// The number of samples in a bin along each axis; 0 or less: as many as the bin has elements, rounded up.
  int64_t ratio = -1;
  /// Whether the regions are shifted by half an element, so that elements are squares around their indices; otherwise
  /// regions are at least 1 by 1. Position-sensitive regions are shifted always.
  bool aligned = false;
};

/// Computes the mean of bilinear samples spread evenly over each bin (K. He et al., "Mask R-CNN", 2017).
template <class T>
void RoiAlign(const RoiGeometry& geometry, const RoiSampling& sampling, const T* input, const T* rois, T* output);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kuiper_infer::kernel {

/// How an axis is sampled. Coordinates follow PyTorch: with r = in / out (or 1 / scale if a scale is given), output o
/// looks at r * (o + 0.5) - 0.5, or if corners are aligned at o * (in - 1) / (out - 1).
enum class ResizeMode {
  kNearest,          ///< element floor(r * o)
  kNearestExact,     ///< element floor(r * (o + 0.5))
  kLinear,           ///< the two neighbours; coordinates below 0 count as 0
  kCubic,            ///< four neighbours under Keys' kernel with a = -0.75; border elements repeat
  kLinearAntialias,  ///< a triangle, widened by the ratio in / out if that is above 1
  kCubicAntialias,   ///< Keys' kernel with a = -0.5, widened by the ratio in / out if that is above 1
};

/// The input elements and weights of each output along one axis: output o is the sum over t < taps of
/// weight[o * taps + t] * input[index[o * taps + t]]. Computed once for each shape.
template <class T>
struct ResizeAxis {
  int64_t extent_in = 1;
  int64_t extent_out = 1;
  int64_t taps = 1;
  std::vector<int64_t> index{0};
  std::vector<T> weight{T(1)};
  std::vector<int64_t> used;  ///< how many taps of each output count, the first ones; empty: all of them

  int64_t UsedTaps(int64_t output) const { return used.empty() ? taps : used[output]; }
};

/// Computes the taps and weights of one axis. Extents are at least 1. If `scale` is given and positive, coordinates
/// follow this factor out / in instead of the extents. Coordinates are computed in T as PyTorch does.
template <class T>
ResizeAxis<T> MakeResizeAxis(ResizeMode mode, int64_t extent_in, int64_t extent_out, std::optional<double> scale,
                             bool align_corners);

}  // namespace kuiper_infer::kernel

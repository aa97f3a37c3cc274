// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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
  kLinearAntialias,  ///< a triangle that is as wide as the shrinking demands
  kCubicAntialias,   ///< Keys' kernel with a = -0.5, as wide as the shrinking demands
};

/// Which elements make up each output of one axis: output o is the sum over t < taps of weight[o * taps + t] *
/// input[index[o * taps + t]]. Computed once per shape.
template <class T>
struct ResizeAxis {
  int64_t extent_in = 1;
  int64_t extent_out = 1;
  int64_t taps = 1;
  std::vector<int64_t> index{0};
  std::vector<T> weight{T(1)};
};

/// Computes the taps and weights of one axis. Extents are at least 1. If `scale` is given and positive, coordinates
/// follow this factor out / in instead of the extents. Coordinates are computed in T as PyTorch does.
template <class T>
ResizeAxis<T> MakeResizeAxis(ResizeMode mode, int64_t extent_in, int64_t extent_out, std::optional<double> scale,
                             bool align_corners);

/// The number of output rows that may be computed at once. Each needs axes[2].extent_in elements of scratch memory.
template <class T>
int64_t ResizeWorkers(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int threads);

/// Resizes `planes` independent images along depth, height and width, whose axes are `axes`. The input has the shape
/// (planes, 3 x extent_in), the output (planes, 3 x extent_out); both are row-major without gaps and do not overlap.
/// `workspace` holds workers * axes[2].extent_in elements. Instantiated for float and double.
template <class T>
void Resize(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int64_t workers, const T* input, T* workspace,
            T* output);

}  // namespace kuiper_infer::kernel

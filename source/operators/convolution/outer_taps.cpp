// SPDX-License-Identifier: MIT
#include "operators/convolution/outer_taps.hpp"

#include <algorithm>

#include "shape/window_range.hpp"

namespace kuiper_infer {
namespace {

/// Returns the taps from the first to the last one that lies on an element at some position; all taps if none does.
IndexRange UsedTaps(const Window& window, int64_t extent, int64_t positions) {
  const auto used = [&](int64_t tap) {
    const IndexRange valid = ValidPositions(window, tap, extent, positions);
    return valid.last > valid.first;
  };
  IndexRange taps{0, window.kernel};
  while (taps.first < window.kernel && !used(taps.first)) ++taps.first;
  if (taps.first == window.kernel) return {0, window.kernel};
  while (!used(taps.last - 1)) --taps.last;
  taps.first = std::min(taps.first, window.padding_begin / window.dilation);  // the padding must not become negative
  return taps;
}

}  // namespace

ConvolutionArguments WithoutOuterTaps(const ConvolutionArguments& given) {
  ConvolutionArguments result = given;
  WindowGrid& grid = result.geometry.grid;
  const TensorSpec& weight = given.weight.spec;
  Shape shape = weight.shape;
  int64_t offset = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Window& window = grid.window[axis];
    const IndexRange taps = UsedTaps(window, grid.image[axis], grid.positions[axis]);
    if (taps.last - taps.first == window.kernel) continue;
    const std::size_t dimension = axis + shape.size() - 3;
    offset += taps.first * weight.strides[dimension];
    shape[dimension] = taps.last - taps.first;
    // The window's end does not matter any more, because the positions stay.
    window.padding_begin -= taps.first * window.dilation;
    window.kernel = shape[dimension];
    const int64_t end =
        (grid.positions[axis] - 1) * window.stride - window.padding_begin + (window.kernel - 1) * window.dilation + 1;
    window.padding_end = std::max<int64_t>(0, end - grid.image[axis]);
  }
  if (shape == weight.shape) return given;
  result.weight.SetValues(given.weight.values().AsStrided(shape, weight.strides, offset).Contiguous());
  return result;
}

}  // namespace kuiper_infer

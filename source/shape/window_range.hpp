// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "shape/window_grid.hpp"

namespace kuiper_infer {

/// The indices [first, last).
struct IndexRange {
  int64_t first;
  int64_t last;
};

/// The range from the first to the last element under the windows at `positions`, of which there is at least one.
/// Elements in the padding have indices outside of the axis.
inline IndexRange WindowSpan(const Window& window, IndexRange positions) {
  const int64_t begin = positions.first * window.stride - window.padding_begin;
  const int64_t steps = positions.last - positions.first - 1;
  return {begin, begin + steps * window.stride + (window.kernel - 1) * window.dilation + 1};
}

/// The window positions o, out of `positions`, whose tap `tap` lies on one of the `extent` elements of the axis:
/// 0 <= o * stride - padding_begin + tap * dilation < extent. Empty ranges have first == last.
inline IndexRange ValidPositions(const Window& window, int64_t tap, int64_t extent, int64_t positions) {
  const auto round_up = [&](int64_t value) { return value <= 0 ? 0 : (value - 1) / window.stride + 1; };
  const int64_t shift = window.padding_begin - tap * window.dilation;
  const int64_t first = std::min(round_up(shift), positions);
  return {first, std::clamp(round_up(extent + shift), first, positions)};
}

/// The elements of an axis under the window at `position`, dilation apart.
inline IndexRange CoveredElements(const Window& window, int64_t extent, int64_t position) {
  const auto [start, end] = WindowSpan(window, {position, position + 1});
  const int64_t skipped = start < 0 ? (-start + window.dilation - 1) / window.dilation : 0;
  return {start + skipped * window.dilation, std::min(end, extent)};
}

/// The elements of an axis that adaptive pooling combines for one of `positions` outputs.
inline IndexRange AdaptiveRange(int64_t extent, int64_t positions, int64_t position) {
  return {position * extent / positions, ((position + 1) * extent + positions - 1) / positions};
}

/// The taps [first, last) of a window that lie on an axis's elements; `start` is the element under tap `first`.
struct TapRange {
  int64_t first;
  int64_t last;
  int64_t start;

  int64_t count() const { return last - first; }
  bool empty() const { return last == first; }
};

inline TapRange TapsInside(const Window& window, int64_t position, int64_t extent) {
  const auto round_up = [&](int64_t value) { return value <= 0 ? 0 : (value - 1) / window.dilation + 1; };
  const int64_t origin = position * window.stride - window.padding_begin;
  const int64_t first = std::min(round_up(-origin), window.kernel);
  return {first, std::clamp(round_up(extent - origin), first, window.kernel), origin + first * window.dilation};
}

}  // namespace kuiper_infer

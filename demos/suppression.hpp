// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace demos {

/// Non-maximum suppression: the indices of the boxes that have no better rival among the selected boxes, best first.
/// Equal scores keep their order, so that a picture always gives the same boxes. rivals(better, box) tells whether both
/// boxes are the same object.
template <class Box, class Rivals>
std::vector<std::size_t> KeepBest(const std::vector<Box>& boxes, const Rivals& rivals) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return boxes[a].score > boxes[b].score; });
  std::vector<std::size_t> kept;
  for (const std::size_t candidate : order) {
    const bool is_new = std::none_of(kept.begin(), kept.end(),
                                     [&](std::size_t better) { return rivals(boxes[better], boxes[candidate]); });
    if (is_new) kept.push_back(candidate);
  }
  return kept;
}

}  // namespace demos

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer::test {

using Shapes = std::vector<Shape>;  ///< of a model's inputs

/// Calls change(extent, input, axis) for each extent of all shapes, and adds the changed shapes.
template <class Change>
void AddChanged(const Shapes& shapes, std::set<Shapes>& variants, const Change& change) {
  Shapes changed = shapes;
  for (std::size_t input = 0; input < changed.size(); ++input) {
    for (std::size_t axis = 0; axis < changed[input].size(); ++axis) change(changed[input][axis], input, axis);
  }
  if (changed != shapes) variants.insert(std::move(changed));
}

/// Returns the shapes with extents of 0 and 1: along one axis of one input; along one axis of all inputs, counted from
/// the front and from the back; at all places of one extent, which inputs often share; and at random.
inline std::set<Shapes> WithSmallExtents(const Shapes& shapes, std::mt19937& random) {
  std::set<Shapes> variants;
  std::set<int64_t> extents;
  std::size_t most_axes = 0;
  for (const Shape& shape : shapes) {
    extents.insert(shape.begin(), shape.end());
    most_axes = std::max(most_axes, shape.size());
  }
  for (const int64_t small : {0, 1}) {
    for (const int64_t common : extents) {
      AddChanged(shapes, variants,
                 [&](int64_t& extent, std::size_t, std::size_t) { extent = extent == common ? small : extent; });
    }
    for (std::size_t at = 0; at < most_axes; ++at) {
      AddChanged(shapes, variants,
                 [&](int64_t& extent, std::size_t, std::size_t axis) { extent = axis == at ? small : extent; });
      AddChanged(shapes, variants, [&](int64_t& extent, std::size_t input, std::size_t axis) {
        extent = axis + at + 1 == shapes[input].size() ? small : extent;
      });
      for (std::size_t of = 0; of < shapes.size(); ++of) {
        AddChanged(shapes, variants, [&](int64_t& extent, std::size_t input, std::size_t axis) {
          extent = input == of && axis == at ? small : extent;
        });
      }
    }
  }
  constexpr int kRandom = 12;
  for (int i = 0; i < kRandom; ++i) {
    AddChanged(shapes, variants, [&](int64_t& extent, std::size_t, std::size_t) {
      const unsigned draw = random() % 6;  // two thirds stay
      extent = draw < 2 ? static_cast<int64_t>(draw) : extent;
    });
  }
  return variants;
}

}  // namespace kuiper_infer::test

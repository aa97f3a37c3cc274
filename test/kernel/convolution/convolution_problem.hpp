// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/convolution.hpp"
#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {

/// Elements past the end of an output that a kernel must leave alone.
constexpr int64_t kGuard = 16;
constexpr std::byte kGuardByte{0x5A};
template <class T>
constexpr T kSentinel = T(12345);

template <class Body>
void ForEachIndex(const Extents3& extents, const Body& body) {
  for (int64_t d = 0; d < extents[0]; ++d) {
    for (int64_t h = 0; h < extents[1]; ++h) {
      for (int64_t w = 0; w < extents[2]; ++w) body(Extents3{d, h, w});
    }
  }
}

inline int64_t FlatIndex(const Extents3& extents, const Extents3& index) {
  return (index[0] * extents[1] + index[1]) * extents[2] + index[2];
}

/// A geometry with the seed of its data.
struct ConvolutionProblem {
  uint32_t seed = 0;
  bool bias = false;
  ConvolutionGeometry geometry;

  Extents3 kernel() const {
    const auto& window = geometry.grid.window;
    return {window[0].kernel, window[1].kernel, window[2].kernel};
  }

  /// Finds the element at `tap` of the window at `position`; returns false in the padding.
  bool ElementAt(const Extents3& position, const Extents3& tap, Extents3* element) const {
    for (int axis = 0; axis < 3; ++axis) {
      const Window& window = geometry.grid.window[axis];
      const int64_t at = position[axis] * window.stride - window.padding_begin + tap[axis] * window.dilation;
      if (at < 0 || at >= geometry.grid.image[axis]) return false;
      (*element)[axis] = at;
    }
    return true;
  }

  /// Counts the positions, stepping through them.
  void Finish() {
    for (int axis = 0; axis < 3; ++axis) {
      const Window& window = geometry.grid.window[axis];
      const int64_t padded = geometry.grid.image[axis] + window.padding_begin + window.padding_end;
      int64_t& count = geometry.grid.positions[axis] = 0;
      while (count * window.stride + (window.kernel - 1) * window.dilation < padded) ++count;
    }
  }

  std::string Name() const {
    const ConvolutionGeometry& g = geometry;
    std::string name = "batch " + std::to_string(g.batch) + " channels " + std::to_string(g.channels_in) + "->" +
                       std::to_string(g.channels_out) + " groups " + std::to_string(g.groups) + (bias ? " bias" : "");
    for (int axis = 0; axis < 3; ++axis) {
      const Window& w = g.grid.window[axis];
      name += " [" + std::to_string(g.grid.image[axis]) + " k" + std::to_string(w.kernel) + " s" +
              std::to_string(w.stride) + " p" + std::to_string(w.padding_begin) + "," + std::to_string(w.padding_end) +
              " d" + std::to_string(w.dilation) + "]";
    }
    return name;
  }
};

/// Returns a problem with square images and windows, one group and a bias.
inline ConvolutionProblem SquareProblem(int64_t batch, int64_t in, int64_t out, int64_t extent, const Window& window) {
  ConvolutionProblem problem;
  problem.seed = 77;
  problem.bias = true;
  problem.geometry.batch = batch;
  problem.geometry.channels_in = in;
  problem.geometry.channels_out = out;
  problem.geometry.grid.image = {1, extent, extent};
  problem.geometry.grid.window[1] = problem.geometry.grid.window[2] = window;
  problem.Finish();
  return problem;
}

/// Returns a small geometry of 1 to 3 dimensions that varies every option. Extents lie around the vector width.
inline ConvolutionProblem GenerateProblem(uint32_t seed) {
  std::mt19937 generator(seed);
  const auto pick = [&](std::initializer_list<int64_t> choices) {
    return choices.begin()[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(generator)];
  };
  ConvolutionProblem problem;
  problem.seed = seed;
  problem.bias = pick({0, 1}) != 0;
  ConvolutionGeometry& g = problem.geometry;
  g.batch = pick({1, 1, 2, 3});
  g.groups = pick({1, 1, 2, 3, 4});
  g.channels_in = g.groups * pick({1, 2, 3, 5});
  g.channels_out = g.groups * pick({1, 2, 4, 7});
  const int64_t dimensions = pick({1, 2, 2, 2, 3});
  const bool pointwise = pick({0, 0, 0, 1}) != 0;
  for (int64_t axis = 3 - dimensions; axis < 3; ++axis) {
    Window& window = g.grid.window[axis];
    window.stride = pick({1, 1, 2, 3});
    if (!pointwise) {
      window.kernel = pick({1, 2, 3, 3, 4, 5, 7});
      window.dilation = pick({1, 1, 2, 3});
      window.padding_begin = pick({0, 1, 2, 3});
      window.padding_end = pick({0, 1, 2, 5});
    }
    const int64_t reach = (window.kernel - 1) * window.dilation + 1;
    const int64_t extent = dimensions == 3 ? pick({1, 3, 4, 7, 8}) : pick({1, 3, 7, 8, 9, 15, 16, 17, 31, 33});
    g.grid.image[axis] = std::max(extent, reach - window.padding_begin - window.padding_end);
  }
  problem.Finish();
  return problem;
}

/// Expects `actual` to be `expected` followed by kGuard untouched sentinels.
template <class T>
void ExpectNear(const std::vector<T>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size() + kGuard);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], tolerance) << "element " << i;
  }
  for (std::size_t i = expected.size(); i < actual.size(); ++i) ASSERT_EQ(actual[i], kSentinel<T>) << "guard " << i;
}

}  // namespace kuiper_infer::kernel

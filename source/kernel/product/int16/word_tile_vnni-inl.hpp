// SPDX-License-Identifier: MIT
// The tiles of units with dot products of two words, which are not among Highway's operations. Whoever includes this
// has defined KUIPER_WORD_TARGET, the instruction set that the functions are compiled for, and gives a Unit with
//   Vector, kLanes                         of 32-bit sums
//   kHeights                               the rows of tiles of one panel, of two and so on, at most
//   Zero(), Load(from), Store(sums, to)
//   Pair(numbers)                          two numbers of a row in every lane
//   AddPairs(sum, a, weight)               the sum plus the products of pairs of words
#pragma once

#include <cstdint>
#include <immintrin.h>
#include <iterator>

#include "kernel/product/int16/word_product.hpp"
#include "kernel/product/int16/word_tiles.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Micro-kernel tiles of 1 to Height(panels) rows by 1 to kVectors panels.
template <class Unit>
struct VnniWordTiles {
  static constexpr int kVectors = std::size(Unit::kHeights);
  static constexpr int Height(int64_t panels) { return Unit::kHeights[panels - 1]; }

  template <int kRows, int kPanels>
  KUIPER_WORD_TARGET static void Run(const WordProduct& p, int64_t row, int64_t column, ComingWeight coming) {
    using Vector = typename Unit::Vector;
    constexpr int kPanelVectors = kWordColumns / Unit::kLanes;
    constexpr int kTogether = kPanels * kPanelVectors;
    const int64_t depth = p.depth;
    const int16_t* a = p.a + row * depth;
    const int16_t* weight = p.weight + column * depth;
    Vector sums[kRows][kTogether];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kTogether; ++v) sums[r][v] = Unit::Zero();
    }
    for (int64_t k = 0; k < depth; k += 2, weight += 2 * kWordColumns) {
      coming.Fetch();
      Vector factors[kTogether];
#pragma GCC unroll 4
      for (int v = 0; v < kTogether; ++v) {
        factors[v] =
            Unit::Load(weight + v / kPanelVectors * kWordColumns * depth + v % kPanelVectors * 2 * Unit::kLanes);
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Vector pair = Unit::Pair(a + r * depth + k);
#pragma GCC unroll 4
        for (int v = 0; v < kTogether; ++v) sums[r][v] = Unit::AddPairs(sums[r][v], pair, factors[v]);
      }
    }
    int32_t* to = p.sums + row * p.columns + column;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r, to += p.columns) {
#pragma GCC unroll 4
      for (int v = 0; v < kTogether; ++v) Unit::Store(sums[r][v], to + v * Unit::kLanes);
    }
  }
};

}  // namespace
}  // namespace kuiper_infer::kernel

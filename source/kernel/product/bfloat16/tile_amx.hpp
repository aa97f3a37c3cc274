// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/write_sums.hpp"

namespace kuiper_infer::kernel {

/// Products of bfloat16 numbers by AMX. `Unit` stands for the operations on the registers: AmxUnit (amx_unit.hpp), or
/// the tests' emulation of it. The registers always have all their rows: a packed weight has whole blocks of pairs and
/// whole vectors of columns, and rows of sums that nobody asked for are not written.
template <class Unit, int kHeight, int kWidth>
struct AmxBFloat16Block {
  /// Computes the sums of the tile's first kHeight * 16 rows, and of kWidth vectors of columns from `vector` on.
  static void Sum(const BFloat16Tile& t, int64_t vector, float* sums) {
    constexpr int64_t kNumber = sizeof(uint16_t);
    const int64_t pitch = t.vectors * kBFloat16Lanes * 2;  // numbers from a row of the weight's pairs to the next
    const uint16_t* weight = t.weight + vector * kBFloat16Lanes * 2;
    const uint16_t* next = t.next;
    ForEachInBlock<kHeight, kWidth>([](auto r, auto v) { Unit::template Zero<AmxSum(kHeight, r, v)>(); });
    for (int64_t segment = 0; segment < t.segments; ++segment) {
      const uint16_t* const a = t.a + segment * t.segment_stride;
      for (int64_t pair = 0; pair < t.pairs; pair += kBlockPairs, weight += t.pieces * kBlockPairs * pitch) {
        if (vector == 0) FetchAhead(next, kBlockPairs * t.next_stride * kNumber);
        next += kBlockPairs * t.next_stride;
        AddProducts(t, a + 2 * pair, weight, pitch);
      }
    }
    constexpr int64_t kPitch = kWidth * kBFloat16Lanes;
    ForEachInBlock<kHeight, kWidth>([&](auto r, auto v) {
      Unit::template Store<AmxSum(kHeight, r, v)>(sums + r * kAmxRows * kPitch + v * kBFloat16Lanes,
                                                  kPitch * static_cast<int64_t>(sizeof(float)));
    });
  }

  /// Adds the products of a block of pairs of the rows `a` and the weight, whose pairs are `pitch` numbers apart.
  static void AddProducts(const BFloat16Tile& t, const uint16_t* a, const uint16_t* weight, int64_t pitch) {
    constexpr int64_t kNumber = sizeof(uint16_t);
    PieceProduct loaded{-1, -1};
    for (const PieceProduct& product : ProductsOfPieces(t.pieces)) {
      const uint16_t* rows = a + product.a * t.a_stride;
      const uint16_t* columns = weight + product.weight * kBlockPairs * pitch;
      const bool new_columns = kWidth > kAmxWeights || product.weight != loaded.weight;
      if (product.a != loaded.a) {
        ForEach<kHeight>(
            [&](auto r) { Unit::template Load<kAmxLeft + r>(rows + r * kAmxRows * t.lda, t.lda * kNumber); });
      }
      ForEach<kWidth>([&](auto v) {
        constexpr int kColumn = v;
        constexpr int kWeight = kAmxWeight + kColumn % kAmxWeights;
        if (new_columns) Unit::template Load<kWeight>(columns + kColumn * kBFloat16Lanes * 2, pitch * kNumber);
        ForEach<kHeight>(
            [](auto r) { Unit::template AddProduct<AmxSum(kHeight, r, kColumn), kAmxLeft + r, kWeight>(); });
      });
      loaded = product;
    }
  }

  static void Multiply(const BFloat16Tile& t, int64_t vector) {
    alignas(64) float sums[kHeight * kAmxRows * kWidth * kBFloat16Lanes];
    Sum(t, vector, sums);
    if (t.pieces > 1) ReplaceNotFinite(t, t.rows, vector, kWidth, sums);
    WriteSums(sums, kWidth * kBFloat16Lanes, t.rows,
              t.result.Columns(vector * kBFloat16Lanes, kWidth * kBFloat16Lanes));
  }
};

/// The kernel that multiplies by such a unit.
template <class Unit>
struct AmxBFloat16 {
  /// Two registers' rows by two registers' columns at once; where few rows are left, one by up to four.
  static void Multiply(const BFloat16Tile& t) {
    constexpr void (*kLow[])(const BFloat16Tile&, int64_t) = {
        AmxBFloat16Block<Unit, 1, 1>::Multiply, AmxBFloat16Block<Unit, 1, 2>::Multiply,
        AmxBFloat16Block<Unit, 1, 3>::Multiply, AmxBFloat16Block<Unit, 1, 4>::Multiply};
    if (t.rows <= kAmxRows) return kLow[t.vectors - 1](t, 0);
    for (int64_t vector = 0; vector + 1 < t.vectors; vector += 2) AmxBFloat16Block<Unit, 2, 2>::Multiply(t, vector);
    if (t.vectors % 2 != 0) AmxBFloat16Block<Unit, 2, 1>::Multiply(t, t.vectors - 1);
  }

  static int64_t Height(int64_t /*vectors*/, int64_t rows) { return std::min(rows, 2 * kAmxRows); }

  static void Begin() {
    static constexpr AmxSizes kSizes{};
    Unit::Configure(&kSizes);
  }

  /// Rounds and widens numbers as the tiles `conversions` do.
  static constexpr BFloat16Tiles Kernel(const BFloat16Tiles& conversions) {
    return {2 * kAmxRows, kMostRowBlock,     kAmxRows,          2 * kBlockPairs,   Height,
            Multiply,     conversions.round, conversions.widen, conversions.scale, conversions.scale_bfloat16,
            Begin,        Unit::Release};
  }
};

}  // namespace kuiper_infer::kernel

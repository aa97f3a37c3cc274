// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/int8/tile.hpp"

namespace kuiper_infer::kernel {

/// Products of bytes by AMX: `Unit` as in bfloat16/tile_amx.hpp. Rows are read where they are, so that registers get no
/// more rows than the tile has. What is left of the depth behind multiples of 64 is left to another kernel.
template <class Unit, int kHeight, int kWidth>
struct AmxInt8Block {
  /// Adds to the tile's sums, in kWidth vectors of columns from `vector` on, the products of whole 64 of the depth.
  static void Add(const Int8Tile& t, int64_t vector) {
    const int64_t pitch = t.vectors * kInt8Lanes * 4;  // bytes of a row of the weight, and of the sums
    int32_t* const corner = t.sums + vector * kInt8Lanes;
    const auto place = [&](int64_t r, int64_t v) { return corner + (r * kAmxRows * t.vectors + v) * kInt8Lanes; };
    const int8_t* weight = t.weight + vector * kInt8Lanes * 4;
    const int8_t* next = t.next;
    ForEachInBlock<kHeight, kWidth>(
        [&](auto r, auto v) { Unit::template Load<AmxSum(kHeight, r, v)>(place(r, v), pitch); });
    for (int64_t segment = 0; segment < t.segments; ++segment) {
      const uint8_t* const a = t.a + segment * t.segment_stride;
      for (int64_t k = 0; k + kAmxBytes <= t.depth; k += kAmxBytes, weight += kAmxRows * pitch) {
        if (vector == 0) FetchAhead(next, kAmxRows * t.next_stride);
        next += kAmxRows * t.next_stride;
        ForEach<kHeight>([&](auto r) { Unit::template Load<kAmxLeft + r>(a + k + r * kAmxRows * t.lda, t.lda); });
        ForEach<kWidth>([&](auto v) {
          constexpr int kColumn = v;
          constexpr int kWeight = kAmxWeight + kColumn % kAmxWeights;
          Unit::template Load<kWeight>(weight + kColumn * kInt8Lanes * 4, pitch);
          ForEach<kHeight>(
              [](auto r) { Unit::template AddByteProduct<AmxSum(kHeight, r, kColumn), kAmxLeft + r, kWeight>(); });
        });
      }
    }
    ForEachInBlock<kHeight, kWidth>(
        [&](auto r, auto v) { Unit::template Store<AmxSum(kHeight, r, v)>(place(r, v), pitch); });
  }
};

/// The kernel that multiplies by such a unit, and by `kRest` what doesn't fill its registers.
template <class Unit, const Int8Tiles& (*kRest)()>
struct AmxInt8 {
  static void Sum(const Int8Tile& t) {
    const int64_t rest = t.depth % kAmxBytes;
    if (t.depth < kAmxBytes || (rest > 0 && t.segments > 1)) {
      SumRest(t);
      return;
    }
    Int8Tile last = t;  // gives the sums that the others are added to
    last.a += t.depth - rest;
    last.weight += (t.depth - rest) * t.vectors * kInt8Lanes;
    last.depth = rest;
    SumRest(last);
    if (t.rows != 2 * kAmxRows) Configure(AmxSizes::ForRows(t.rows));
    AddWhole(t);
    if (t.rows != 2 * kAmxRows) Configure(AmxSizes());
  }

  static int64_t Height(int64_t /*vectors*/, int64_t rows) { return std::min(rows, 2 * kAmxRows); }

  static void Begin() { Configure(AmxSizes()); }

  static constexpr Int8Tiles Kernel() { return {Height, Sum, Begin, Unit::Release}; }

 private:
  static void Configure(const AmxSizes& sizes) { Unit::Configure(&sizes); }

  /// Sums what doesn't fill AMX's registers by the tiles of kRest, which may have fewer rows.
  static void SumRest(const Int8Tile& t) {
    Int8Tile part = t;
    for (int64_t first = 0; first < t.rows; first += part.rows) {
      part.rows = kRest().height(t.vectors, t.rows - first);
      part.a = t.a + first * t.lda;
      part.sums = t.sums + first * t.vectors * kInt8Lanes;
      kRest().sum(part);
    }
  }

  static void AddWhole(const Int8Tile& t) {
    constexpr void (*kLow[])(const Int8Tile&, int64_t) = {AmxInt8Block<Unit, 1, 1>::Add, AmxInt8Block<Unit, 1, 2>::Add,
                                                          AmxInt8Block<Unit, 1, 3>::Add, AmxInt8Block<Unit, 1, 4>::Add};
    if (t.rows <= kAmxRows) return kLow[t.vectors - 1](t, 0);
    for (int64_t vector = 0; vector + 1 < t.vectors; vector += 2) AmxInt8Block<Unit, 2, 2>::Add(t, vector);
    if (t.vectors % 2 != 0) AmxInt8Block<Unit, 2, 1>::Add(t, t.vectors - 1);
  }
};

}  // namespace kuiper_infer::kernel

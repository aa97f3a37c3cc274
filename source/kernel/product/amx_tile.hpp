// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernel/product/bfloat16_pieces.hpp"
#include "kernel/product/bfloat16_tile.hpp"
#include "kernel/product/tile_sums.hpp"

namespace kuiper_infer::kernel {

/// Products by AMX. `Unit` stands for the operations on the eight tile registers of a thread: AmxUnit (amx_unit.hpp),
/// or the tests' emulation of it.

constexpr int kAmxRegisters = 8;

/// The registers' sizes in the form that the CPU reads. All registers always hold 16 rows of 64 bytes: a packed weight
/// has whole blocks of pairs and whole vectors of columns, and rows of sums that nobody asked for are not written.
struct alignas(64) AmxSizes {
  uint8_t palette = 1;  ///< the number of the one set of limits that CPUs have: 8 registers of 1 KiB
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(AmxSizes) == 64);

template <class F, int... kNumbers>
void CallWithEach(const F& f, std::integer_sequence<int, kNumbers...> /*numbers*/) {
  (f(std::integral_constant<int, kNumbers>()), ...);
}

/// Calls f with each number below kCount as a constant, since the registers' numbers are part of the operations.
template <int kCount, class F>
void ForEach(const F& f) {
  CallWithEach(f, std::make_integer_sequence<int, kCount>());
}

/// A block of kHeight x kWidth registers of sums. Each product of two registers takes 16 cycles, so that one register
/// of rows and one of the weight have to be loaded for it at most.
template <class Unit, int kHeight, int kWidth>
struct AmxBlock {
  static constexpr int kA = kHeight * kWidth;  ///< the first register of the rows, behind those of the sums
  static constexpr int kB = kA + kHeight;      ///< the first one of the weight
  static constexpr int kWeights = std::min(kWidth, kAmxRegisters - kB);

  /// Computes the sums of the tile's first kHeight * 16 rows, and of kWidth vectors of columns from `vector` on.
  static void Sum(const BFloat16Tile& t, int64_t vector, float* sums) {
    constexpr int64_t kNumber = sizeof(uint16_t);
    const int64_t pitch = t.vectors * kBFloat16Lanes * 2;  // numbers from a row of the weight's pairs to the next
    const uint16_t* weight = t.weight + vector * kBFloat16Lanes * 2;
    const uint16_t* next = t.next;
    ForEach<kHeight * kWidth>([](auto i) { Unit::template Zero<i>(); });
    for (int64_t pair = 0; pair < t.pairs; pair += kBlockPairs, weight += t.pieces * kBlockPairs * pitch) {
      if (vector == 0) next = Fetch(next, kBlockPairs * t.next_stride);
      PieceProduct loaded{-1, -1};
      for (const PieceProduct& product : ProductsOfPieces(t.pieces)) {
        const uint16_t* rows = t.a + product.a * t.a_stride + 2 * pair;
        const uint16_t* columns = weight + product.weight * kBlockPairs * pitch;
        const bool new_columns = kWeights < kWidth || product.weight != loaded.weight;
        if (product.a != loaded.a) {
          ForEach<kHeight>([&](auto r) { Unit::template Load<kA + r>(rows + r * kAmxRows * t.lda, t.lda * kNumber); });
        }
        ForEach<kWidth>([&](auto v) {
          constexpr int kColumn = v;
          constexpr int kWeight = kB + kColumn % kWeights;
          if (new_columns) Unit::template Load<kWeight>(columns + kColumn * kBFloat16Lanes * 2, pitch * kNumber);
          ForEach<kHeight>([](auto r) { Unit::template AddProduct<r * kWidth + kColumn, kA + r, kWeight>(); });
        });
        loaded = product;
      }
    }
    constexpr int64_t kPitch = kWidth * kBFloat16Lanes;
    ForEach<kHeight * kWidth>([&](auto i) {
      float* const corner = sums + i / kWidth * kAmxRows * kPitch + i % kWidth * kBFloat16Lanes;
      Unit::template Store<i>(corner, kPitch * static_cast<int64_t>(sizeof(float)));
    });
  }

  /// Brings so many numbers into the second-level cache.
  static const uint16_t* Fetch(const uint16_t* next, int64_t count) {
    constexpr int64_t kLine = kCacheLine / static_cast<int64_t>(sizeof(uint16_t));
    for (int64_t i = 0; i < count; i += kLine) __builtin_prefetch(next + i, 0, 2);
    return next + count;
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
struct AmxKernel {
  /// Two registers' rows by two registers' columns at once; where few rows are left, one by up to four.
  static void Multiply(const BFloat16Tile& t) {
    constexpr void (*kLow[])(const BFloat16Tile&, int64_t) = {
        AmxBlock<Unit, 1, 1>::Multiply, AmxBlock<Unit, 1, 2>::Multiply, AmxBlock<Unit, 1, 3>::Multiply,
        AmxBlock<Unit, 1, 4>::Multiply};
    if (t.rows <= kAmxRows) return kLow[t.vectors - 1](t, 0);
    for (int64_t vector = 0; vector + 1 < t.vectors; vector += 2) AmxBlock<Unit, 2, 2>::Multiply(t, vector);
    if (t.vectors % 2 != 0) AmxBlock<Unit, 2, 1>::Multiply(t, t.vectors - 1);
  }

  static int64_t Height(int64_t /*vectors*/, int64_t rows) { return std::min(rows, 2 * kAmxRows); }

  static void Begin() {
    static constexpr AmxSizes kSizes{};
    Unit::Configure(&kSizes);
  }

  static void End() { Unit::Release(); }

  /// `round` is the CPU's rounding to bfloat16.
  static constexpr BFloat16Kernel Make(void (*round)(const float*, int64_t, uint16_t*)) {
    return {2 * kAmxRows, kMostRowBlock, Height, Multiply, round, Begin, End};
  }
};

}  // namespace kuiper_infer::kernel

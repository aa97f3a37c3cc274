// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include "kernel/product/bfloat16/tile.hpp"
#include "utils/fused_multiply_add.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::kernel {

/// Emulates AMX's operations by Intel's manual, with each register and each rounding. A use that the CPU would refuse
/// fails the test.
class EmulatedAmx {
 public:
  static void Configure(const void* sizes) {
    std::array<uint8_t, 64> bytes{};
    std::memcpy(bytes.data(), sizes, bytes.size());
    EXPECT_EQ(bytes[0], 1) << "palette";
    EXPECT_EQ(bytes[1], 0) << "start row";
    State& state = Here();
    state = {};
    state.configured = true;
    for (int i = 0; i < kTiles; ++i) {
      Tile& tile = state.tiles[i];
      tile.rows = bytes[48 + i];
      tile.row_bytes = bytes[16 + 2 * i] + bytes[17 + 2 * i] * 256;
      EXPECT_LE(tile.rows, kRows) << "tile " << i;
      EXPECT_LE(tile.row_bytes, kRowBytes) << "tile " << i;
      EXPECT_EQ(tile.rows == 0, tile.row_bytes == 0) << "tile " << i;
    }
    for (const auto& [first, last] : {std::pair{2, 16}, {32, 48}, {56, 64}}) {
      for (int i = first; i < last; ++i) EXPECT_EQ(bytes[i], 0) << "reserved byte " << i;
    }
  }

  static void Release() {
    EXPECT_TRUE(Here().configured) << "released without sizes";
    Here() = {};
  }

  template <int kTile>
  static void Zero() {
    Of<kTile>().numbers = {};
  }

  template <int kTile>
  static void Load(const void* from, int64_t stride) {
    Tile& tile = Of<kTile>();
    tile.numbers = {};
    for (int r = 0; r < tile.rows; ++r) {
      std::memcpy(tile.numbers[r].data(), static_cast<const std::byte*>(from) + r * stride, tile.row_bytes);
    }
  }

  template <int kTile>
  static void Store(void* to, int64_t stride) {
    const Tile& tile = Of<kTile>();
    for (int r = 0; r < tile.rows; ++r) {
      std::memcpy(static_cast<std::byte*>(to) + r * stride, tile.numbers[r].data(), tile.row_bytes);
    }
  }

  /// TDPBF16PS: for each sum, the even and the odd products along the depth are added up separately from zero, by fused
  /// multiply-adds. Then the two are added, and their sum is added to the result. Denormal factors and results count as
  /// zero; every rounding is to nearest.
  template <int kSums, int kA, int kB>
  static void AddProduct() {
    CheckSizes<kSums, kA, kB>();
    Tile& sums = Of<kSums>();
    const Tile& a = Of<kA>();
    const Tile& b = Of<kB>();
    for (int r = 0; r < sums.rows; ++r) {
      for (int j = 0; j < sums.row_bytes / 4; ++j) {
        float parts[2] = {0, 0};
        for (int k = 0; k < a.row_bytes / 4; ++k) {
          for (int half = 0; half < 2; ++half) {
            const float factor = a.Number(r, 2 * k + half);
            parts[half] = Flushed(Fma(factor, b.Number(k, 2 * j + half), parts[half]));
          }
        }
        float sum = 0;
        std::memcpy(&sum, sums.numbers[r].data() + 4 * j, 4);
        sum = Flushed(Flushed(sum) + Flushed(parts[0] + parts[1]));
        std::memcpy(sums.numbers[r].data() + 4 * j, &sum, 4);
      }
    }
  }

  /// TDPBUSD: exact 32-bit sums that wrap around.
  template <int kSums, int kA, int kB>
  static void AddByteProduct() {
    CheckSizes<kSums, kA, kB>();
    Tile& sums = Of<kSums>();
    const Tile& a = Of<kA>();
    const Tile& b = Of<kB>();
    for (int r = 0; r < sums.rows; ++r) {
      std::array<uint32_t, kRowBytes / 4> row{};
      std::memcpy(row.data(), sums.numbers[r].data(), sums.row_bytes);
      for (int k = 0; k < a.row_bytes; ++k) {
        for (int j = 0; j < sums.row_bytes / 4; ++j) {
          row[j] += static_cast<uint32_t>(a.numbers[r][k] * static_cast<int8_t>(b.numbers[k / 4][4 * j + k % 4]));
        }
      }
      std::memcpy(sums.numbers[r].data(), row.data(), sums.row_bytes);
    }
  }

 private:
  static constexpr int kTiles = 8;
  static constexpr int kRows = 16;
  static constexpr int kRowBytes = 64;

  static float Flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x; }

  struct Tile {
    int rows = 0;
    int row_bytes = 0;
    std::array<std::array<uint8_t, kRowBytes>, kRows> numbers{};

    float Number(int row, int column) const {
      BFloat16 number;
      std::memcpy(&number.bits, numbers[row].data() + 2 * column, 2);
      return Flushed(number);
    }
  };

  template <int kSums, int kA, int kB>
  static void CheckSizes() {
    static_assert(kSums != kA && kSums != kB && kA != kB);
    EXPECT_EQ(Of<kSums>().rows, Of<kA>().rows);
    EXPECT_EQ(Of<kSums>().row_bytes, Of<kB>().row_bytes);
    EXPECT_EQ(Of<kA>().row_bytes / 4, Of<kB>().rows);
    EXPECT_EQ(Of<kSums>().row_bytes % 4 + Of<kA>().row_bytes % 4 + Of<kB>().row_bytes % 4, 0);
  }

  /// The registers of a thread.
  struct State {
    bool configured = false;
    std::array<Tile, kTiles> tiles{};
  };
  static State& Here() {
    thread_local State state;
    return state;
  }

  template <int kTile>
  static Tile& Of() {
    static_assert(kTile >= 0 && kTile < kTiles);
    EXPECT_TRUE(Here().configured) << "no sizes";
    return Here().tiles[kTile];
  }
};

}  // namespace kuiper_infer::kernel

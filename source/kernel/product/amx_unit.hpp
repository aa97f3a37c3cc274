// SPDX-License-Identifier: MIT
#pragma once

#if defined(__x86_64__)
#include <cstdint>

namespace kuiper_infer::kernel {

/// AMX's operations on the eight tile registers of a thread, each of 16 rows of 64 bytes at most. They stand in
/// assembly, since GCC's intrinsics want a register's number as text, and those of GCC 12 don't tell the compiler what
/// memory they read: stores before them could be moved behind them. The compiler itself never uses tile registers.
struct AmxUnit {
  /// Sets the sizes of all tiles (an AmxSizes of amx_registers.hpp) and makes them zero.
  static void Configure(const void* sizes) { asm volatile("ldtilecfg (%0)" ::"r"(sizes) : "memory"); }

  /// Leaves the tiles without sizes, so that the system needn't save them.
  static void Release() { asm volatile("tilerelease" ::: "memory"); }

  template <int kTile>
  static void Zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
  }

  /// Rows lie `stride` bytes apart.
  template <int kTile>
  static void Load(const void* from, int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(kTile) : "memory");
  }

  template <int kTile>
  static void Store(void* to, int64_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride), "i"(kTile) : "memory");
  }

  /// Adds to sums (rows x columns floats) the product of `a` (rows x pairs of bfloat16 numbers) by `b` (pairs x
  /// columns, the two numbers of a pair side by side).
  template <int kSums, int kA, int kB>
  static void AddProduct() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSums), "i"(kA), "i"(kB));
  }

  /// Adds to sums (rows x columns integers) the product of `a` (rows x quads of unsigned bytes) by `b` (quads x columns
  /// of signed bytes, the four numbers of a quad side by side). Sums wrap around.
  template <int kSums, int kA, int kB>
  static void AddByteProduct() {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSums), "i"(kA), "i"(kB));
  }
};

}  // namespace kuiper_infer::kernel
#endif

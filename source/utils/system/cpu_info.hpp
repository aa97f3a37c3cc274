// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// Instruction sets that kernels are compiled for. What the compiler may use everywhere (SSE2 on x86-64, NEON on ARM)
/// is the baseline.
enum class Isa { kBaseline, kSse4, kAvx2, kAvx512 };

/// The best instruction set that this CPU has, but none above what the environment variable KUIPER_ISA ("generic",
/// "sse4", "avx2", "avx512") allows. Found once. Other values: cpu_variables.hpp.
Isa UsedIsa();

/// The name of UsedIsa(): "avx512", "avx2", "sse4" or "generic".
const char* IsaName();

/// What a CPU has to multiply matrices of small numbers with, beside its float multiply-adds.
enum class MatrixUnit {
  kNone,
  kAvx512BFloat16,  ///< AVX512_BF16: dot products of pairs of bfloat16 numbers
  kAmx,             ///< AMX: products of tiles of 16 rows
};

/// The unit that kernels use, none above what the environment variable KUIPER_UNITS allows ("none", "dotprod", "avx2",
/// "avxvnni", "avx512vnni", "avx512bf16", "amx", in this order, or "auto": all) or than UsedIsa() allows. Found once.
/// Other values: cpu_variables.hpp.
MatrixUnit UsedMatrixUnit();

/// The name of UsedMatrixUnit(): "AMX", "AVX512_BF16" or "none".
const char* MatrixUnitName();

/// What a CPU has to multiply matrices of bytes with.
enum class Int8Unit {
  kPortable,    ///< plain C++
  kDotProd,     ///< FEAT_DotProd of 64-bit ARM: dot products of four bytes, in vectors of 128 bits
  kAvx2,        ///< AVX2's multiply-adds of 16-bit integers
  kAvxVnni,     ///< AVX-VNNI: dot products of four bytes, in vectors of 256 bits
  kAvx512Vnni,  ///< AVX512_VNNI: dot products of four bytes, in vectors of 512 bits
  kAmx,         ///< AMX: products of tiles of 16 rows
};

/// The best unit that this CPU has, chosen as UsedMatrixUnit() is.
Int8Unit UsedInt8Unit();

/// Whether this CPU has the unit and UsedIsa() allows it, whatever KUIPER_UNITS says.
bool HasInt8Unit(Int8Unit unit);

/// The unit's name: "portable", "DotProd", "AVX2", "AVX_VNNI", "AVX512_VNNI" or "AMX".
const char* Int8UnitName(Int8Unit unit);

/// What kernels of products may use: the units of this CPU, or fewer of them, as tests choose.
struct Units {
  Isa isa = Isa::kBaseline;
  MatrixUnit bfloat16 = MatrixUnit::kNone;
  Int8Unit int8 = Int8Unit::kPortable;

  bool operator==(const Units& other) const {
    return isa == other.isa && bfloat16 == other.bfloat16 && int8 == other.int8;
  }
};

/// UsedIsa(), UsedMatrixUnit() and UsedInt8Unit().
Units UsedUnits();

/// Bytes of a core's second-level cache; a usual size where it is unknown.
int64_t SecondLevelCacheBytes();

/// Physical memory of the machine in bytes; 0 when unknown.
int64_t PhysicalMemoryBytes();

}  // namespace kuiper_infer

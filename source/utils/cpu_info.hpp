// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// Instruction sets that kernels are compiled for. What the compiler may use everywhere (SSE2 on x86-64, NEON on ARM)
/// is the baseline.
enum class Isa { kBaseline, kSse4, kAvx2, kAvx512 };

/// The best instruction set that this CPU has, but none above what the environment variable KUIPER_ISA ("generic",
/// "sse4", "avx2", "avx512") allows. Found once. Throws Error(kArgument) for another value.
Isa UsedIsa();

/// The name of UsedIsa(): "avx512", "avx2", "sse4" or "generic".
const char* IsaName();

/// Bytes of a core's second-level cache; a usual size where it is unknown.
int64_t SecondLevelCacheBytes();

/// Physical memory of the machine in bytes; 0 when unknown.
int64_t PhysicalMemoryBytes();

}  // namespace kuiper_infer

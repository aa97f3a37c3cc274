// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// The vector instructions that our kernels use on this CPU: "avx512", "avx2", "sse4", "neon" or "generic".
const char* IsaName();

/// Applies the environment variable KUIPER_ISA ("avx2", "sse4", "generic"), which keeps kernels from using anything
/// newer. Cheap after the first call. Throws Error(kArgument) for another value.
void LimitIsa();

/// Physical memory of the machine in bytes; 0 when unknown.
int64_t PhysicalMemoryBytes();

}  // namespace kuiper_infer

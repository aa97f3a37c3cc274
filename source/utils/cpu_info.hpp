// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// The widest vector instructions of this CPU that the libraries underneath choose from at run time: "avx512", "avx2",
/// "sse4" or "generic".
const char* IsaName();

/// Physical memory of the machine in bytes; 0 when unknown.
int64_t PhysicalMemoryBytes();

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer {

/// Bytes of a core's second-level cache as the system gives them; 0 when unknown.
int64_t FindSecondLevelCache();

/// Physical memory of the machine in bytes as the system gives it; 0 when unknown.
int64_t FindPhysicalMemory();

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

namespace kuiper_infer {

/// Memory for arrays, from the start of a cache line on, not initialised; null where the system has none. Large blocks
/// are pages of their own, huge ones where the system has them: models that come and go leave no gaps in the heap, and
/// the CPU looks up fewer addresses.
std::shared_ptr<void> AllocateBlock(int64_t bytes);

}  // namespace kuiper_infer

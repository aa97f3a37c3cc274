// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

namespace kuiper_infer {

/// Allocates memory for an array, not initialised, aligned to a cache line. Null if the system has no memory.
std::shared_ptr<void> AllocateBlock(int64_t bytes);

/// Allocates like AllocateBlock, for arrays that live long or are never written as a whole. A large block gets pages of
/// its own, huge pages if the system has them, which return to the system as soon as the block is freed. Models that
/// are loaded and freed then leave no gaps in the heap, and the CPU needs fewer address translations.
std::shared_ptr<void> MapBlock(int64_t bytes);

/// Returns unused pages of the heap to the system, if the allocator can do that. To be called after much memory has
/// been freed that will not be needed again.
void ReturnFreePages();

}  // namespace kuiper_infer

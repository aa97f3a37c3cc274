// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

namespace kuiper_infer {

/// Memory for arrays, from the start of a cache line on, not initialised; null where the system has none.
std::shared_ptr<void> AllocateBlock(int64_t bytes);

/// Memory for arrays that stay long or are never written as a whole, otherwise as AllocateBlock gives it: a large block
/// is pages of its own, huge ones where the system has them, that go back to it at once. Models that come and go leave
/// no gaps in the heap, and the CPU looks up fewer addresses.
std::shared_ptr<void> MapBlock(int64_t bytes);

/// Gives pages of the heap that nobody uses back to the system, where its allocator knows how: after much has been
/// freed that will not be asked for again.
void ReturnFreePages();

}  // namespace kuiper_infer

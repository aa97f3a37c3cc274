// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

namespace kuiper_infer {

// What memory_block.cpp asks of the system.

/// Maps pages of their own, which start at a multiple of a huge page if there are that many. Null if the system has no
/// memory, or maps none.
std::shared_ptr<void> MapPages(std::size_t bytes);

/// Allocates from the heap; `bytes` is a multiple of `alignment`. Null if the system has no memory.
std::shared_ptr<void> AllocateAligned(std::size_t alignment, std::size_t bytes);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "utils/system/memory_block.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "utils/rounding.hpp"
#include "utils/system/cpu_info.hpp"
#include "utils/system/memory_pages.hpp"

namespace kuiper_infer {
namespace {

/// The smallest block that is mapped. malloc also maps large blocks, but only until the first of them is freed.
constexpr int64_t kLarge = 1 << 17;

/// Bytes rounded up to whole cache lines; -1 if the machine or the address space has less memory.
int64_t RoundedBytes(int64_t bytes) {
  // More would be promised by an overcommitting system and fail only when it is written.
  const int64_t memory = PhysicalMemoryBytes();
  constexpr int64_t kMost = std::numeric_limits<std::ptrdiff_t>::max() - kCacheLine;
  if (bytes > (memory > 0 ? std::min(memory, kMost) : kMost)) return -1;
  return AlignedBytes(std::max<int64_t>(bytes, 1));
}

}  // namespace

std::shared_ptr<void> AllocateBlock(int64_t bytes) {
  const int64_t rounded = RoundedBytes(bytes);
  return rounded < 0 ? nullptr : AllocateAligned(kCacheLine, static_cast<std::size_t>(rounded));
}

std::shared_ptr<void> MapBlock(int64_t bytes) {
  const int64_t rounded = RoundedBytes(bytes);
  if (rounded >= kLarge) {
    if (std::shared_ptr<void> pages = MapPages(static_cast<std::size_t>(rounded))) return pages;
  }
  return AllocateBlock(bytes);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "utils/memory_block.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Sanitizers guard the borders of the heap's blocks only.
#if defined(__linux__) && !defined(KUIPER_HEAP_ONLY)
#define KUIPER_MAP_PAGES
#include <sys/mman.h>
#endif

#include "utils/cpu_info.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

#ifdef KUIPER_MAP_PAGES
/// The smallest block that is mapped. malloc also maps large blocks, but only until the first of them is freed.
constexpr int64_t kLarge = 1 << 17;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

/// Asks for huge pages, from a multiple of one on, unless the first takes too long to come. In a virtual machine whose
/// host has taken free memory back, each one has to be made there first, which takes some ten times as long as to clear
/// it; small pages are then far quicker, for a while.
void AskForHugePages(void* start, std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kTooLong(1000);
  constexpr std::chrono::seconds kWhile(1);
  static std::atomic<Clock::rep> slow_until{Clock::time_point::min().time_since_epoch().count()};
  const Clock::time_point begin = Clock::now();
  if (begin.time_since_epoch().count() < slow_until) return;
  madvise(start, kHugePage, MADV_HUGEPAGE);
  *static_cast<volatile char*>(start) = 0;
  const Clock::time_point end = Clock::now();
  if (end - begin < kTooLong) {
    madvise(start, bytes, MADV_HUGEPAGE);
  } else {
    slow_until = (end + kWhile).time_since_epoch().count();
  }
}

/// Pages that start at a multiple of a huge page, if there are that many.
std::shared_ptr<void> MapPages(std::size_t bytes) {
  const std::size_t slack = bytes >= kHugePage ? kHugePage : 0;
  void* const mapped = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  void* start = mapped;
  std::size_t space = bytes + slack;
  if (slack > 0) {
    std::align(kHugePage, bytes, start, space);
    if (start != mapped) munmap(mapped, bytes + slack - space);
    AskForHugePages(start, bytes);
  }
  return {start, [space](void* memory) { munmap(memory, space); }};
}
#endif

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
  void* const block = rounded < 0 ? nullptr : std::aligned_alloc(kCacheLine, static_cast<std::size_t>(rounded));
  return block == nullptr ? nullptr : std::shared_ptr<void>(block, std::free);
}

std::shared_ptr<void> MapBlock(int64_t bytes) {
#ifdef KUIPER_MAP_PAGES
  const int64_t rounded = RoundedBytes(bytes);
  if (rounded >= kLarge) {
    if (std::shared_ptr<void> pages = MapPages(static_cast<std::size_t>(rounded))) return pages;
  }
#endif
  return AllocateBlock(bytes);
}

void ReturnFreePages() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace kuiper_infer

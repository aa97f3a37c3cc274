// SPDX-License-Identifier: MIT
#include "utils/system/memory_pages.hpp"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Sanitizers guard the borders of the heap's blocks only.
#if defined(__linux__) && !defined(KUIPER_HEAP_ONLY)
#define KUIPER_MAP_PAGES
#include <atomic>
#include <chrono>

#include <sys/mman.h>
#endif

namespace kuiper_infer {

#ifdef KUIPER_MAP_PAGES
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

/// Asks for huge pages unless the first one takes too long; `start` is a multiple of their size. If the host of a
/// virtual machine has taken free memory back, it has to make each huge page first. That takes ten times as long as to
/// clear the page. Small pages are then far quicker, so no huge pages are asked for during a while.
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

}  // namespace

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
#else
std::shared_ptr<void> MapPages(std::size_t /*bytes*/) { return nullptr; }
#endif

std::shared_ptr<void> AllocateAligned(std::size_t alignment, std::size_t bytes) {
  void* const block = std::aligned_alloc(alignment, bytes);
  return block == nullptr ? nullptr : std::shared_ptr<void>(block, std::free);
}

void ReturnFreePages() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace kuiper_infer

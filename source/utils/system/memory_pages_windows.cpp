// SPDX-License-Identifier: MIT
#include <malloc.h>
#include <windows.h>

#include "utils/system/memory_block.hpp"
#include "utils/system/memory_pages.hpp"

namespace kuiper_infer {

std::shared_ptr<void> MapPages(std::size_t bytes) {
  void* const pages = VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (pages == nullptr) return nullptr;
  return {pages, [](void* memory) { VirtualFree(memory, 0, MEM_RELEASE); }};
}

std::shared_ptr<void> AllocateAligned(std::size_t alignment, std::size_t bytes) {
  void* const block = _aligned_malloc(bytes, alignment);
  return block == nullptr ? nullptr : std::shared_ptr<void>(block, _aligned_free);
}

void ReturnFreePages() { _heapmin(); }

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kuiper_infer {

/// A block of memory that is needed from step `first` to step `last`, both included.
struct MemoryRequest {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
};

struct MemoryPlan {
  std::vector<int64_t> offsets;  ///< one per request, multiples of 64
  int64_t total_bytes = 0;
};

/// Places the blocks in one arena such that blocks which are alive at the same time don't overlap. The largest block is
/// placed first, and each at the lowest offset that is free during its lifetime.
MemoryPlan PlanMemory(const std::vector<MemoryRequest>& requests);

/// The largest sum of blocks alive at one step: no plan can need less.
int64_t LargestLiveSet(const std::vector<MemoryRequest>& requests);

/// The sum of blocks alive at each of the steps 0 to steps - 1.
std::vector<int64_t> LiveBytes(const std::vector<MemoryRequest>& requests, std::size_t steps);

}  // namespace kuiper_infer

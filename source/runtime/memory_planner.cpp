// SPDX-License-Identifier: MIT
#include "runtime/memory_planner.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "utils/rounding.hpp"

namespace kuiper_infer {

MemoryPlan PlanMemory(const std::vector<MemoryRequest>& requests) {
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return requests[a].bytes > requests[b].bytes; });
  MemoryPlan plan;
  plan.offsets.resize(requests.size(), 0);
  // Placed blocks by offset; those alive together with the new one leave the gaps that it may take.
  std::multimap<int64_t, std::size_t> placed;
  for (const std::size_t index : order) {
    const MemoryRequest& request = requests[index];
    const int64_t bytes = AlignedBytes(request.bytes);
    if (bytes == 0) continue;
    int64_t offset = 0;
    for (const auto& [start, other] : placed) {
      const bool together = requests[other].first <= request.last && request.first <= requests[other].last;
      if (!together) continue;
      if (start - offset >= bytes) break;
      offset = std::max(offset, start + AlignedBytes(requests[other].bytes));
    }
    plan.offsets[index] = offset;
    placed.emplace(offset, index);
    plan.total_bytes = std::max(plan.total_bytes, offset + bytes);
  }
  return plan;
}

int64_t LargestLiveSet(const std::vector<MemoryRequest>& requests) {
  std::map<int64_t, int64_t> changes;
  for (const MemoryRequest& request : requests) {
    changes[request.first] += AlignedBytes(request.bytes);
    changes[request.last + 1] -= AlignedBytes(request.bytes);
  }
  int64_t live = 0;
  int64_t largest = 0;
  for (const auto& [step, change] : changes) {
    live += change;
    largest = std::max(largest, live);
  }
  return largest;
}

}  // namespace kuiper_infer

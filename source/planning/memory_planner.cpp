// SPDX-License-Identifier: MIT
#include "planning/memory_planner.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "utils/rounding.hpp"

namespace kuiper_infer {

namespace {

/// The requests that have a place, found by lifetime: a tree over the requests in order of their first steps, whose
/// nodes know the latest last step below them.
class PlacedRequests {
 public:
  explicit PlacedRequests(const std::vector<MemoryRequest>& requests)
      : requests_(requests), by_first_(requests.size()), rank_(requests.size()) {
    std::iota(by_first_.begin(), by_first_.end(), 0);
    std::sort(by_first_.begin(), by_first_.end(),
              [&](std::size_t a, std::size_t b) { return requests[a].first < requests[b].first; });
    for (std::size_t i = 0; i < by_first_.size(); ++i) rank_[by_first_[i]] = i;
    while (leaves_ < requests.size()) leaves_ *= 2;
    latest_.assign(2 * leaves_, INT64_MIN);
  }

  void Add(std::size_t request) {
    for (std::size_t node = leaves_ + rank_[request]; node > 0; node /= 2) {
      latest_[node] = std::max(latest_[node], requests_[request].last);
    }
  }

  /// Finds the requests that are alive at the same time as a request. Returns false if there are more than `most`.
  bool FindTogether(const MemoryRequest& request, std::size_t most, std::vector<std::size_t>& found) const {
    found.clear();
    const auto later = std::partition_point(by_first_.begin(), by_first_.end(),
                                            [&](std::size_t other) { return requests_[other].first <= request.last; });
    return Collect(1, 0, leaves_, static_cast<std::size_t>(later - by_first_.begin()), request.first, most, found);
  }

 private:
  /// Collects the leaves among [begin, begin + size) below a node that come before `end` and last until `first`.
  bool Collect(std::size_t node, std::size_t begin, std::size_t size, std::size_t end, int64_t first, std::size_t most,
               std::vector<std::size_t>& found) const {
    if (begin >= end || latest_[node] < first) return true;
    if (size == 1) {
      found.push_back(by_first_[begin]);
      return found.size() <= most;
    }
    const std::size_t half = size / 2;
    return Collect(2 * node, begin, half, end, first, most, found) &&
           Collect(2 * node + 1, begin + half, half, end, first, most, found);
  }

  const std::vector<MemoryRequest>& requests_;
  std::vector<std::size_t> by_first_;
  std::vector<std::size_t> rank_;
  std::size_t leaves_ = 1;
  std::vector<int64_t> latest_;
};

/// The lowest offset of a gap of that many bytes between the blocks.
int64_t LowestGap(int64_t bytes, const std::vector<MemoryRequest>& requests, const std::vector<int64_t>& offsets,
                  std::vector<std::size_t>& blocks) {
  std::sort(blocks.begin(), blocks.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
  int64_t offset = 0;
  for (const std::size_t block : blocks) {
    if (offsets[block] - offset >= bytes) break;
    offset = std::max(offset, offsets[block] + AlignedBytes(requests[block].bytes));
  }
  return offset;
}

}  // namespace

MemoryPlan PlanMemory(const std::vector<MemoryRequest>& requests) {
  // If a block has more neighbours than in any real network, it is placed after all other blocks, which keeps planning
  // fast for absurd graphs.
  constexpr std::size_t kMostNeighbours = 1024;
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return requests[a].bytes > requests[b].bytes; });
  MemoryPlan plan;
  plan.offsets.resize(requests.size(), 0);
  PlacedRequests placed(requests);
  std::vector<std::size_t> neighbours;
  for (const std::size_t index : order) {
    const int64_t bytes = AlignedBytes(requests[index].bytes);
    if (bytes == 0) continue;
    const bool few = placed.FindTogether(requests[index], kMostNeighbours, neighbours);
    plan.offsets[index] = few ? LowestGap(bytes, requests, plan.offsets, neighbours) : plan.total_bytes;
    placed.Add(index);
    plan.total_bytes = std::max(plan.total_bytes, plan.offsets[index] + bytes);
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

std::vector<int64_t> LiveBytes(const std::vector<MemoryRequest>& requests, std::size_t steps) {
  std::vector<int64_t> live(steps + 1, 0);  // first the change at each step; the last entry is dropped
  const auto end = static_cast<int64_t>(steps);
  for (const MemoryRequest& request : requests) {
    live[static_cast<std::size_t>(std::clamp<int64_t>(request.first, 0, end))] += AlignedBytes(request.bytes);
    live[static_cast<std::size_t>(std::clamp<int64_t>(request.last, -1, end - 1) + 1)] -= AlignedBytes(request.bytes);
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  live.resize(steps);
  return live;
}

}  // namespace kuiper_infer

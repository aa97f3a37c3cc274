// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/weights/packed_weight.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

std::shared_ptr<PackedWeights::Entry> PackedWeights::EntryFor(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  constexpr std::size_t kFew = 64;
  // Unused entries are removed when the table has doubled since the last removal. Looking for them at each insertion
  // would make planning n weights take n^2 steps.
  if (entries_.size() >= std::max(kFew, most_)) {
    RemoveUnused();
    most_ = 2 * entries_.size();
  }
  std::shared_ptr<Entry>& entry = entries_[key];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

void PackedWeights::RemoveUnused() {
  const auto unused = [](const std::shared_ptr<Entry>& entry) {
    // A thread that packs the weight or waits for it holds the entry. No thread can take it while mutex_ is held.
    if (entry.use_count() > 1) return false;
    const std::lock_guard<std::mutex> lock(entry->mutex);
    return entry->packed.expired();
  };
  for (auto at = entries_.begin(); at != entries_.end();) at = unused(at->second) ? entries_.erase(at) : std::next(at);
}

std::shared_ptr<const PackedWeight> PackedWeights::FindOrMake(const Key& key, const Make& make) {
  const std::shared_ptr<Entry> entry = EntryFor(key);
  const std::lock_guard<std::mutex> lock(entry->mutex);
  std::shared_ptr<const PackedWeight> found = entry->packed.lock();
  if (found == nullptr) entry->packed = found = make();
  return found;
}

int64_t PackedWeights::bytes() {
  std::vector<std::shared_ptr<Entry>> entries;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [key, entry] : entries_) entries.push_back(entry);
  }
  int64_t bytes = 0;
  for (const auto& entry : entries) {
    const std::lock_guard<std::mutex> lock(entry->mutex);
    if (const auto held = entry->packed.lock()) {
      bytes += held->packed.size();
      if (held->parameters.defined()) bytes += ByteCount(held->parameters.type(), held->parameters.shape());
    }
  }
  return bytes;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "data/stored_bytes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "data/checksum.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/first_error.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Pieces of this size stay in the second-level cache while their checksum is taken.
constexpr uint64_t kPiece = uint64_t{1} << 18;

}  // namespace

StoredBytes::StoredBytes(std::shared_ptr<const ByteSource> source, uint64_t offset, uint64_t size, uint32_t crc,
                         std::string entry)
    : source_(std::move(source)), offset_(offset), size_(size), crc_(crc), entry_(std::move(entry)) {}

void StoredBytes::Read(uint64_t first, uint64_t count, void* target) const {
  source_->Read(offset_ + first, count, target);
  if (!verified_ && count > 0) Note(first, {count, Crc32(target, count)});
}

void StoredBytes::Note(uint64_t first, Run run) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto next = runs_.lower_bound(first);
  if (next != runs_.end() && next->first < first + run.count) return;
  if (next != runs_.begin()) {
    const auto before = std::prev(next);
    const uint64_t end = before->first + before->second.count;
    if (end > first) return;
    if (end == first) {
      first = before->first;
      run = {before->second.count + run.count, JoinedCrc32(before->second.crc, run.crc, run.count)};
      runs_.erase(before);
    }
  }
  if (next != runs_.end() && next->first == first + run.count) {
    run = {run.count + next->second.count, JoinedCrc32(run.crc, next->second.crc, next->second.count)};
    runs_.erase(next);
  }
  runs_[first] = run;
  if (run.count == size_) Check(run.crc);
}

void StoredBytes::Check(uint32_t crc) const {
  if (crc != crc_) {
    throw Error(ErrorCode::kFile,
                source_->name() + ": entry '" + entry_ + "' is truncated or damaged: its checksum is wrong");
  }
  verified_ = true;
}

void StoredBytes::Skip(uint64_t first, uint64_t count) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint64_t& end = skipped_[first];
  end = std::max(end, first + count);
}

std::shared_ptr<const StoredBytes> StoredBytes::Unread() const {
  return std::make_shared<const StoredBytes>(source_, offset_, size_, crc_, entry_);
}

bool StoredBytes::IsSkipped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  uint64_t covered = 0;
  for (const auto& [first, end] : skipped_) {
    if (first <= covered) covered = std::max(covered, end);
  }
  return covered >= size_ && runs_.empty();
}

void StoredBytes::Verify() const {
  if (verified_ || IsSkipped()) return;
  std::vector<char> piece(std::min(kPiece, size_));
  uint32_t crc = 0;
  for (uint64_t first = 0; first < size_; first += kPiece) {
    const uint64_t count = std::min(kPiece, size_ - first);
    source_->Read(offset_ + first, count, piece.data());
    crc = JoinedCrc32(crc, Crc32(piece.data(), count), count);
  }
  Check(crc);
}

void ReadAll(const StoredBytes& bytes, void* target) {
  const auto pieces = static_cast<int64_t>(DivideUp(bytes.size(), kPiece));
  FirstError error;
  ParallelFor(pieces, 1, [&](int64_t first, int64_t last) {
    error.Guard([&] {
      for (int64_t piece = first; piece < last; ++piece) {
        const uint64_t begin = static_cast<uint64_t>(piece) * kPiece;
        bytes.Read(begin, std::min(kPiece, bytes.size() - begin), static_cast<char*>(target) + begin);
      }
    });
  });
  error.Rethrow();
  bytes.Verify();
}

}  // namespace kuiper_infer

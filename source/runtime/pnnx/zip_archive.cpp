// SPDX-License-Identifier: MIT
#include "runtime/pnnx/zip_archive.hpp"

#include <utility>

#include "data/checksum.hpp"
#include "data/deflate.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

ZipArchive::ZipArchive(std::shared_ptr<const ByteSource> source)
    : source_(std::move(source)), entries_(ReadZipDirectory(*source_)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) by_name_[entries_[i].name].push_back(i);
}

const ZipEntry* ZipArchive::Find(const std::string& name, std::size_t occurrence) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() || occurrence >= found->second.size() ? nullptr : &entries_[found->second[occurrence]];
}

void ZipArchive::Read(const ZipEntry& entry, void* target) const {
  if (const std::shared_ptr<const StoredBytes> stored = Stored(entry)) {
    ReadAll(*stored, target);
  } else {
    Inflate(entry, target);
  }
}

std::shared_ptr<const StoredBytes> ZipArchive::Stored(const ZipEntry& entry) const {
  const uint64_t begin = FindZipData(*source_, entry);
  if (entry.method != zip::kStored) return nullptr;
  return std::make_shared<StoredBytes>(source_, begin, entry.size, entry.crc, entry.name);
}

void ZipArchive::Inflate(const ZipEntry& entry, void* target) const {
  std::vector<char> packed(entry.packed_size);
  source_->Read(FindZipData(*source_, entry), entry.packed_size, packed.data());
  if (!kuiper_infer::Inflate(packed.data(), packed.size(), target, entry.size) ||
      Crc32(target, entry.size) != entry.crc) {
    throw Error(ErrorCode::kFile, source_->name() + ": entry '" + entry.name + "' is truncated or damaged");
  }
}

}  // namespace kuiper_infer

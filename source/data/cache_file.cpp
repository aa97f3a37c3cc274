// SPDX-License-Identifier: MIT
#include "data/cache_file.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "data/checksum.hpp"
#include "data/file_beside.hpp"
#include "data/file_writer.hpp"
#include "data/little_endian.hpp"
#include "utils/rounding.hpp"
#include "utils/system/file.hpp"
#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

// The file: kMagic, the sizes of origin and table, the checksum of both together, origin, table; then the bytes of the
// entries, each from the start of a cache line on. An entry of the table is the size of its name, the name, offset,
// size and checksum.
constexpr char kMagic[] = "kuiper_infer cache 1\n";
constexpr uint64_t kMagicBytes = sizeof(kMagic) - 1;
constexpr uint64_t kHeaderBytes = kMagicBytes + 8 + 8 + 4;

uint64_t Aligned(uint64_t offset) { return static_cast<uint64_t>(AlignedBytes(static_cast<int64_t>(offset))); }

/// A hash of the text (FNV-1a) for the file's name. Two texts with one hash only replace each other's files.
std::string Number(const std::string& text) {
  uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace

CacheFile::CacheFile(const std::string& folder, const std::string& name, std::string origin)
    : origin_(std::move(origin)), path_(folder + "/" + name + "." + Number(origin_) + ".cache") {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::u8path(folder), error);
  if (error) Log(Severity::kWarning, "the cache folder " + folder + " cannot be made: " + error.message());
  Open();
}

void CacheFile::Open() {
  entries_.clear();
  file_ = MappedFile::Open(path_);
  if (file_ == nullptr || ReadTable()) return;
  Log(Severity::kWarning, "the cache " + path_ + " is broken and is made anew");
  file_ = nullptr;
  entries_.clear();
}

bool CacheFile::ReadTable() {
  const std::string_view bytes = file_->bytes();
  if (bytes.size() < kHeaderBytes || bytes.substr(0, kMagicBytes) != kMagic) return false;
  FieldReader header(bytes.substr(kMagicBytes));
  const uint64_t origin_size = header.U64();
  const uint64_t table_size = header.U64();
  const uint32_t crc = header.U32();
  if (origin_size > header.left() || table_size > header.left() - origin_size) return false;
  if (Crc32(bytes.data() + kHeaderBytes, origin_size + table_size) != crc) return false;
  if (header.Text(origin_size) != origin_) {  // of another model that has the same number
    file_ = nullptr;
    return true;
  }
  for (FieldReader table(header.Text(table_size)); table.left() > 0;) {
    constexpr uint64_t kNumbers = 8 + 8 + 4;
    if (table.left() < 8) return false;
    const uint64_t name_size = table.U64();
    if (name_size > table.left() || table.left() - name_size < kNumbers) return false;
    const std::string name(table.Text(name_size));
    Entry entry;
    entry.offset = table.U64();
    entry.size = table.U64();
    entry.crc = table.U32();
    if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset) return false;
    if (entry.offset != Aligned(entry.offset)) return false;
    entries_[name] = entry;
  }
  return true;
}

std::optional<NdArray> CacheFile::Find(const std::string& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const char* const start = file_->bytes().data() + found->second.offset;
  const auto size = static_cast<int64_t>(found->second.size);
  if (SharedCrc32(start, found->second.size) != found->second.crc) {
    Log(Severity::kWarning, "a part of the cache " + path_ + " is broken and is made anew");
    entries_.erase(found);
    return std::nullopt;
  }
  return NdArray::View(const_cast<char*>(start), TensorSpec(RuntimeDataType::kTypeUInt8, {size}), file_);
}

void CacheFile::Add(const std::string& name, const NdArray& bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  added_[name] = bytes;
}

void CacheFile::Write() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (added_.empty()) return;
  static std::atomic<int> files{0};
  if (IsDeviceOrPipe(path_)) RemoveFile(path_);  // it has no place in the folder, and counts as absent
  FileBeside file(path_, "." + std::to_string(getpid()) + "." + std::to_string(++files));
  try {
    WriteTo(file.beside());
    file.Place();
    Open();
  } catch (const std::exception& error) {
    Log(Severity::kWarning, "the cache " + path_ + " cannot be written: " + error.what());
  }
  added_.clear();  // also after a failure: to try again and again would cost more than the cache gives
}

void CacheFile::WriteTo(const std::string& path) const {
  struct Part {
    std::string_view bytes;
    uint32_t crc;
  };
  std::map<std::string, Part> parts;
  // Parts of the old file keep their checksums, because they may not have been verified yet.
  for (const auto& [name, entry] : entries_) {
    parts[name] = {file_->bytes().substr(entry.offset, entry.size), entry.crc};
  }
  for (const auto& [name, array] : added_) {
    const auto size = static_cast<std::size_t>(array.size());
    parts[name] = {{static_cast<const char*>(array.raw()), size}, SharedCrc32(array.raw(), size)};
  }
  uint64_t table_size = 0;
  for (const auto& [name, part] : parts) table_size += 8 + name.size() + 8 + 8 + 4;
  uint64_t offset = Aligned(kHeaderBytes + origin_.size() + table_size);
  FieldWriter table;
  for (const auto& [name, part] : parts) {
    table.U64(name.size()).Text(name).U64(offset).U64(part.bytes.size()).U32(part.crc);
    offset = Aligned(offset + part.bytes.size());
  }
  const std::string front = origin_ + table.bytes();
  FieldWriter header;
  header.Text(kMagic).U64(origin_.size()).U64(table_size).U32(Crc32(front.data(), front.size())).Text(front);
  FileWriter file(path);
  uint64_t written = 0;
  const auto write = [&](std::string_view bytes) {
    const std::string gap(Aligned(written) - written, '\0');
    file.Write(gap);
    file.Write(bytes);
    written += gap.size() + bytes.size();
  };
  write(header.bytes());
  for (const auto& [name, part] : parts) write(part.bytes);
  file.Finish();
}

}  // namespace kuiper_infer

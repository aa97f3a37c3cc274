// SPDX-License-Identifier: MIT
#include "runtime/pnnx/zip_directory.hpp"

#include <algorithm>
#include <string_view>

#include "data/little_endian.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

struct Directory {
  uint64_t count = 0;
  uint64_t size = 0;
  uint64_t offset = 0;
};

[[noreturn]] void Refuse(const ByteSource& source, const std::string& reason) {
  throw Error(ErrorCode::kFile, source.name() + ": cannot be opened as a zip archive: " + reason);
}

std::string ReadText(const ByteSource& source, uint64_t offset, uint64_t count) {
  std::string bytes(count, '\0');
  source.Read(offset, count, bytes.data());
  return bytes;
}

/// The offset of the last record, which ends the archive: only a comment, of the length in that record, follows it.
uint64_t FindEnd(const ByteSource& source) {
  const uint64_t tail = std::min(source.size(), zip::kEndBytes + zip::kMax16);
  const std::string bytes = ReadText(source, source.size() - tail, tail);
  for (uint64_t behind = zip::kEndBytes; behind <= tail; ++behind) {
    FieldReader fields(std::string_view(bytes).substr(tail - behind));
    if (fields.U32() != zip::kEndSignature) continue;
    fields.Skip(16);
    if (fields.U16() == behind - zip::kEndBytes) return source.size() - behind;
  }
  Refuse(source, "it has no end record; it may be truncated");
}

/// The 64-bit end record, if a locator before the 32-bit end record points to it.
bool ReadEnd64(const ByteSource& source, uint64_t end, Directory& directory) {
  if (end < zip::kLocator64Bytes) return false;
  const std::string locator_bytes = ReadText(source, end - zip::kLocator64Bytes, zip::kLocator64Bytes);
  FieldReader locator(locator_bytes);
  if (locator.U32() != zip::kLocator64Signature) return false;
  locator.Skip(4);
  const std::string end64_bytes = ReadText(source, locator.U64(), zip::kEnd64Bytes);
  FieldReader end64(end64_bytes);
  if (end64.U32() != zip::kEnd64Signature) Refuse(source, "its 64-bit end record is damaged");
  end64.Skip(28);
  directory.count = end64.U64();
  directory.size = end64.U64();
  directory.offset = end64.U64();
  return true;
}

Directory FindDirectory(const ByteSource& source) {
  const uint64_t end = FindEnd(source);
  Directory directory;
  if (!ReadEnd64(source, end, directory)) {
    const std::string bytes = ReadText(source, end, zip::kEndBytes);
    FieldReader fields(bytes);
    fields.Skip(10);
    directory.count = fields.U16();
    directory.size = fields.U32();
    directory.offset = fields.U32();
  }
  if (directory.offset > end || directory.size > end - directory.offset) {
    Refuse(source, "its directory lies outside of the file");
  }
  if (directory.count > directory.size / zip::kCentralBytes) Refuse(source, "its directory is too small");
  return directory;
}

/// Replaces numbers that do not fit 32 bits by those of the 64-bit extra field.
void ReadExtra64(std::string_view extra, ZipEntry& entry) {
  for (FieldReader fields(extra); fields.left() >= 4;) {
    const uint16_t kind = fields.U16();
    const uint64_t count = fields.U16();
    if (count > fields.left()) return;
    FieldReader numbers(fields.Text(count));
    if (kind != zip::kExtra64) continue;
    for (uint64_t* number : {&entry.size, &entry.packed_size, &entry.header}) {
      if (*number == zip::kMax32 && numbers.left() >= 8) *number = numbers.U64();
    }
    return;
  }
}

}  // namespace

std::vector<ZipEntry> ReadZipDirectory(const ByteSource& source) {
  const Directory directory = FindDirectory(source);
  const std::string bytes = ReadText(source, directory.offset, directory.size);
  FieldReader fields(bytes);
  std::vector<ZipEntry> entries(directory.count);
  for (ZipEntry& entry : entries) {
    const auto damaged = [&] {
      Refuse(source, "entry " + std::to_string(&entry - entries.data()) + " of its directory is damaged");
    };
    if (fields.left() < zip::kCentralBytes || fields.U32() != zip::kCentralSignature) damaged();
    fields.Skip(4);
    const uint16_t flags = fields.U16();
    entry.method = fields.U16();
    fields.Skip(4);
    entry.crc = fields.U32();
    entry.packed_size = fields.U32();
    entry.size = fields.U32();
    const uint64_t name_size = fields.U16();
    const uint64_t extra_size = fields.U16();
    const uint64_t comment_size = fields.U16();
    fields.Skip(8);
    entry.header = fields.U32();
    if (fields.left() < name_size + extra_size + comment_size) damaged();
    entry.name = fields.Text(name_size);
    ReadExtra64(fields.Text(extra_size), entry);
    fields.Skip(comment_size);
    if ((flags & zip::kEncryptedFlag) != 0) {
      throw Error(ErrorCode::kFile, source.name() + ": entry '" + entry.name + "' of the zip archive is encrypted");
    }
  }
  return entries;
}

uint64_t FindZipData(const ByteSource& source, const ZipEntry& entry) {
  const auto fail = [&](const std::string& reason) {
    throw Error(ErrorCode::kFile, source.name() + ": entry '" + entry.name + "' " + reason);
  };
  if (entry.method != zip::kStored && entry.method != zip::kDeflated) {
    fail("is packed by method " + std::to_string(entry.method) + ", expected stored (0) or deflated (8)");
  }
  if (entry.method == zip::kStored && entry.packed_size != entry.size) fail("is damaged: it has two sizes");
  if (entry.header > source.size() || zip::kLocalBytes > source.size() - entry.header) {
    fail("is truncated or damaged: its header lies outside of the file");
  }
  const std::string bytes = ReadText(source, entry.header, zip::kLocalBytes);
  FieldReader header(bytes);
  if (header.U32() != zip::kLocalSignature) fail("is damaged: it has no header");
  header.Skip(22);
  const uint64_t name_size = header.U16();
  const uint64_t begin = entry.header + zip::kLocalBytes + name_size + header.U16();
  if (begin > source.size() || entry.packed_size > source.size() - begin) {
    fail("is truncated or damaged: it reaches beyond the file's end");
  }
  return begin;
}

}  // namespace kuiper_infer

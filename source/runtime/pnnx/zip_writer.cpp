// SPDX-License-Identifier: MIT
#include "runtime/pnnx/zip_writer.hpp"

#include <algorithm>
#include <utility>

#include "data/checksum.hpp"
#include "data/little_endian.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/zip_directory.hpp"

namespace kuiper_infer {
namespace {

constexpr uint16_t kVersion = 10;
constexpr uint16_t kVersion64 = 45;
constexpr uint16_t kFirstDay = (1 << 5) | 1;  ///< January 1, 1980: archives don't tell when they were written

/// The extra field with the numbers that do not fit 32 bits; empty if all fit.
std::string Extra64(std::initializer_list<uint64_t> numbers) {
  FieldWriter large;
  for (const uint64_t number : numbers) {
    if (number >= zip::kMax32) large.U64(number);
  }
  if (large.bytes().empty()) return {};
  return FieldWriter().U16(zip::kExtra64).U16(large.bytes().size()).Text(large.bytes()).bytes();
}

uint64_t Bounded(uint64_t number, uint64_t most) { return std::min(number, most); }

}  // namespace

ZipWriter::ZipWriter(std::string path) : path_(std::move(path)), place_(path_, ".unfinished"), file_(place_.beside()) {}

void ZipWriter::Write(std::string_view bytes) {
  file_.Write(bytes);
  written_ += bytes.size();
}

void ZipWriter::Add(const std::string& name, const char* data, uint64_t size) {
  if (name.size() > zip::kMax16) {
    throw Error(ErrorCode::kArgument, "the entry '" + name.substr(0, 64) + "...' of " + path_ + " has a name of " +
                                          std::to_string(name.size()) + " bytes, at most 65535 are possible");
  }
  const uint32_t crc = Crc32(data, size);
  const uint64_t header = written_;
  // A local header has both sizes in its extra field or none.
  const std::string local_extra = Extra64({size, size});
  const std::string extra = Extra64({size, size, header});
  const auto describe = [&](FieldWriter& record, const std::string& extra_field) {
    record.U16(extra_field.empty() ? kVersion : kVersion64).U16(zip::kUtf8Flag).U16(zip::kStored);
    record.U16(0).U16(kFirstDay).U32(crc).U32(Bounded(size, zip::kMax32)).U32(Bounded(size, zip::kMax32));
    record.U16(name.size()).U16(extra_field.size());
  };
  FieldWriter local;
  describe(local.U32(zip::kLocalSignature), local_extra);
  Write(local.Text(name).Text(local_extra).bytes());
  Write({data, static_cast<std::size_t>(size)});
  FieldWriter central;
  describe(central.U32(zip::kCentralSignature).U16(kVersion64), extra);
  central.U16(0).U16(0).U16(0).U32(0).U32(Bounded(header, zip::kMax32)).Text(name).Text(extra);
  directory_ += central.bytes();
  ++entries_;
}

void ZipWriter::Finish() {
  const uint64_t start = written_;
  Write(directory_);
  if (entries_ >= zip::kMax16 || directory_.size() >= zip::kMax32 || start >= zip::kMax32) {
    const uint64_t end = written_;
    FieldWriter record;
    record.U32(zip::kEnd64Signature).U64(zip::kEnd64Bytes - 12).U16(kVersion64).U16(kVersion64).U32(0).U32(0);
    record.U64(entries_).U64(entries_).U64(directory_.size()).U64(start);
    Write(record.U32(zip::kLocator64Signature).U32(0).U64(end).U32(1).bytes());
  }
  FieldWriter end;
  end.U32(zip::kEndSignature).U16(0).U16(0);
  end.U16(Bounded(entries_, zip::kMax16)).U16(Bounded(entries_, zip::kMax16));
  end.U32(Bounded(directory_.size(), zip::kMax32)).U32(Bounded(start, zip::kMax32)).U16(0);
  Write(end.bytes());
  file_.Finish();
  place_.Place();
}

}  // namespace kuiper_infer

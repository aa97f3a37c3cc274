// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kuiper_infer {

/// Reads the fields of a record in a file one after the other; numbers are little-endian. If a field may be absent, the
/// caller asks left() before it reads the field.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t left() const { return bytes_.size(); }
  uint16_t U16() { return static_cast<uint16_t>(Number(2)); }
  uint32_t U32() { return static_cast<uint32_t>(Number(4)); }
  uint64_t U64() { return Number(8); }
  std::string_view Text(uint64_t count) {
    const std::string_view text = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return text;
  }
  void Skip(uint64_t count) { bytes_.remove_prefix(count); }

 private:
  uint64_t Number(int count) {
    uint64_t number = 0;
    for (int k = 0; k < count; ++k) number |= uint64_t{static_cast<unsigned char>(bytes_[k])} << (8 * k);
    bytes_.remove_prefix(count);
    return number;
  }

  std::string_view bytes_;
};

/// Makes a record of successive fields.
class FieldWriter {
 public:
  FieldWriter& U16(uint64_t number) { return Number(number, 2); }
  FieldWriter& U32(uint64_t number) { return Number(number, 4); }
  FieldWriter& U64(uint64_t number) { return Number(number, 8); }
  FieldWriter& Text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  FieldWriter& Number(uint64_t number, int count) {
    for (int k = 0; k < count; ++k) bytes_ += static_cast<char>(number >> (8 * k));
    return *this;
  }

  std::string bytes_;
};

}  // namespace kuiper_infer

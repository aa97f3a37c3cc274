// SPDX-License-Identifier: MIT
#include "text/formats/gguf_metadata.hpp"

#include <array>
#include <cstring>

#include "data/little_endian.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {
namespace {

// The numbers of types in the file.
constexpr uint32_t kUint32 = 4;
constexpr uint32_t kInt32 = 5;
constexpr uint32_t kFloat32 = 6;
constexpr uint32_t kBool = 7;
constexpr uint32_t kString = 8;
constexpr uint32_t kArray = 9;
/// Bytes of each type; 0 for texts and arrays, whose length is in the file.
constexpr std::array<uint64_t, 13> kSizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::size_t kLengthSize = 8;  // of the length before a text

}  // namespace

/// Takes fields from the start of the file.
class GgufMetadata::Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& name) : bytes_(bytes), size_(bytes.size()), name_(name) {}

  std::size_t at() const { return size_ - bytes_.size(); }
  std::string_view Take(uint64_t count) {
    if (count > bytes_.size()) {
      throw Error(ErrorCode::kFile, name_ + ": byte " + std::to_string(at()) + " begins a field of " +
                                        std::to_string(count) + " bytes, but the file has " + std::to_string(size_));
    }
    const std::string_view field = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return field;
  }
  uint32_t U32() { return FieldReader(Take(4)).U32(); }
  uint64_t U64() { return FieldReader(Take(8)).U64(); }
  std::string_view Text() { return Take(U64()); }
  std::string_view Since(std::string_view start) const { return start.substr(0, start.size() - bytes_.size()); }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::size_t size_;
  const std::string& name_;
};

GgufMetadata::GgufMetadata(std::string_view bytes, std::string name) : name_(std::move(name)) {
  Cursor cursor(bytes, name_);
  cursor.Take(4);  // "GGUF"
  const uint32_t version = cursor.U32();
  if (version != 2 && version != 3) {
    throw Error(ErrorCode::kUnsupported, name_ + ": version " + std::to_string(version) + " of GGUF, expected 2 or 3");
  }
  cursor.U64();  // number of tensors
  const uint64_t count = cursor.U64();
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view key = cursor.Text();
    const Value value = ReadValue(cursor);
    if (key.substr(0, 10) == "tokenizer.") values_.emplace(key, value);
  }
}

GgufMetadata::Value GgufMetadata::ReadValue(Cursor& cursor) const {
  const std::size_t place = cursor.at();
  Value value{cursor.U32(), false, 1, {}};
  if (value.type == kArray) {
    value.type = cursor.U32();
    value.is_array = true;
    value.count = cursor.U64();
  }
  if (value.type >= kSizes.size() || value.type == kArray) {
    throw Error(ErrorCode::kFile, name_ + ": byte " + std::to_string(place) + " begins a value of type " +
                                      std::to_string(value.type) + (value.is_array ? " in an array" : "") +
                                      ", which is not known");
  }
  const uint64_t size = value.type == kString ? kLengthSize : kSizes[value.type];
  if (value.count > cursor.rest().size() / size) cursor.Take(cursor.rest().size() + 1);
  const std::string_view start = cursor.rest();
  if (value.type == kString) {
    for (uint64_t i = 0; i < value.count; ++i) cursor.Text();
  } else {
    cursor.Take(value.count * size);
  }
  value.bytes = cursor.Since(start);
  return value;
}

void GgufMetadata::Fail(const std::string& key, const std::string& what) const {
  throw Error(ErrorCode::kFile, name_ + ": " + key + " " + what);
}

const GgufMetadata::Value& GgufMetadata::Expect(const std::string& key, uint32_t type, bool is_array,
                                                const char* what) const {
  const auto found = values_.find(key);
  if (found == values_.end()) Fail(key, std::string("is missing, expected ") + what);
  if (found->second.type != type || found->second.is_array != is_array) Fail(key, std::string("is not ") + what);
  return found->second;
}

std::string_view GgufMetadata::Text(const std::string& key) const {
  return Expect(key, kString, false, "a text").bytes.substr(kLengthSize);
}

std::optional<uint64_t> GgufMetadata::Number(const std::string& key) const {
  if (!Has(key)) return std::nullopt;
  return FieldReader(Expect(key, kUint32, false, "a number").bytes).U32();
}

std::optional<bool> GgufMetadata::Flag(const std::string& key) const {
  if (!Has(key)) return std::nullopt;
  return Expect(key, kBool, false, "a flag").bytes[0] != 0;
}

std::vector<std::string_view> GgufMetadata::Texts(const std::string& key) const {
  const Value& value = Expect(key, kString, true, "a list of texts");
  std::vector<std::string_view> texts;
  texts.reserve(value.count);
  FieldReader fields(value.bytes);
  while (texts.size() < value.count) texts.push_back(fields.Text(fields.U64()));
  return texts;
}

std::vector<float> GgufMetadata::Reals(const std::string& key) const {
  const Value& value = Expect(key, kFloat32, true, "a list of numbers");
  std::vector<float> numbers(value.count);
  FieldReader fields(value.bytes);
  for (float& number : numbers) {
    const uint32_t bits = fields.U32();
    std::memcpy(&number, &bits, sizeof(number));
  }
  return numbers;
}

std::vector<int32_t> GgufMetadata::Integers(const std::string& key) const {
  const Value& value = Expect(key, kInt32, true, "a list of whole numbers");
  std::vector<int32_t> numbers(value.count);
  FieldReader fields(value.bytes);
  for (int32_t& number : numbers) number = static_cast<int32_t>(fields.U32());
  return numbers;
}

}  // namespace kuiper_infer::text

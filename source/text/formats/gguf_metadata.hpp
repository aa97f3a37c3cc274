// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// The keys and values at the start of a GGUF file that begin with "tokenizer.". The bytes must stay valid. No size in
/// the file is believed. All functions throw Error(kFile) that names the file, and the key or the place.
class GgufMetadata {
 public:
  GgufMetadata(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }
  bool Has(const std::string& key) const { return values_.count(key) > 0; }
  /// Each getter expects the value to be of its type. Optional values are absent if the key is.
  std::string_view Text(const std::string& key) const;
  std::optional<uint64_t> Number(const std::string& key) const;
  std::optional<bool> Flag(const std::string& key) const;
  std::vector<std::string_view> Texts(const std::string& key) const;
  std::vector<float> Reals(const std::string& key) const;
  std::vector<int32_t> Integers(const std::string& key) const;

  [[noreturn]] void Fail(const std::string& key, const std::string& what) const;

 private:
  /// A value, or the elements of an array, as bytes of the file.
  struct Value {
    uint32_t type;
    bool is_array;
    uint64_t count;  ///< of elements
    std::string_view bytes;
  };
  class Cursor;

  Value ReadValue(Cursor& cursor) const;
  const Value& Expect(const std::string& key, uint32_t type, bool is_array, const char* what) const;

  std::string name_;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace kuiper_infer::text

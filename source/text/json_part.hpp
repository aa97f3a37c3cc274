// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace kuiper_infer::text {

/// The contents of a JSON file. Throws Error(kFile) that begins with `name` if they are not JSON or nested too deep.
nlohmann::json ParseJson(std::string_view bytes, const std::string& name);

/// A value of a JSON file and its place there, for messages. The value has to outlive the part. Getters throw
/// Error(kFile) that names the place, what is there and what was expected.
class JsonPart {
 public:
  JsonPart(const nlohmann::json& value, std::string place) : value_(&value), place_(std::move(place)) {}

  const std::string& place() const { return place_; }
  const nlohmann::json& value() const { return *value_; }
  /// Whether the object has a member of that name which is not null.
  bool Has(const char* name) const;
  /// A member of an object.
  JsonPart At(const char* name) const;
  std::optional<JsonPart> Optional(const char* name) const;
  /// The elements of an array.
  std::vector<JsonPart> Elements() const;

  bool Bool() const;
  const std::string& Text() const;
  int64_t Number(int64_t least, int64_t most) const;
  double Real() const;
  /// Members with defaults, which count if the member is absent or null.
  bool Bool(const char* name, bool otherwise) const;
  std::string Text(const char* name, const std::string& otherwise) const;
  int64_t Number(const char* name, int64_t least, int64_t most, int64_t otherwise) const;

  [[noreturn]] void Expected(const std::string& what) const;
  /// Throws Error(kUnsupported).
  [[noreturn]] void Unsupported(const std::string& what) const;

 private:
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace kuiper_infer::text

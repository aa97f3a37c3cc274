// SPDX-License-Identifier: MIT
#include "text/json_part.hpp"

#include <limits>

#include "kuiper_infer/utils/error.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer::text {
namespace {

constexpr int kDeepest = 64;

/// Real files are nested less than ten deep. Whoever walks through a deeper value recursively would need a stack as
/// deep.
void CheckDepth(std::string_view bytes, const std::string& name) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) {
        throw Error(ErrorCode::kFile, name + ": byte " + std::to_string(i) + " is nested deeper than " +
                                          std::to_string(kDeepest) + " arrays and objects");
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace

nlohmann::json ParseJson(std::string_view bytes, const std::string& name) {
  CheckDepth(bytes, name);
  try {
    return nlohmann::json::parse(bytes);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::kFile, name + ": " + error.what());
  }
}

void JsonPart::Expected(const std::string& what) const {
  const std::string found = value_->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  throw Error(ErrorCode::kFile, place_ + " is " + Shorten(found) + ", expected " + what);
}

void JsonPart::Unsupported(const std::string& what) const {
  throw Error(ErrorCode::kUnsupported, place_ + ": " + what + " is not supported");
}

bool JsonPart::Has(const char* name) const {
  if (!value_->is_object()) Expected("an object");
  const auto found = value_->find(name);
  return found != value_->end() && !found->is_null();
}

JsonPart JsonPart::At(const char* name) const {
  if (!Has(name)) throw Error(ErrorCode::kFile, place_ + " lacks '" + name + "'");
  return {*value_->find(name), place_ + "." + name};
}

std::optional<JsonPart> JsonPart::Optional(const char* name) const {
  return Has(name) ? std::optional(At(name)) : std::nullopt;
}

std::vector<JsonPart> JsonPart::Elements() const {
  if (!value_->is_array()) Expected("an array");
  std::vector<JsonPart> elements;
  for (const nlohmann::json& element : *value_) {
    elements.emplace_back(element, place_ + "[" + std::to_string(elements.size()) + "]");
  }
  return elements;
}

bool JsonPart::Bool() const {
  if (!value_->is_boolean()) Expected("true or false");
  return value_->get<bool>();
}

const std::string& JsonPart::Text() const {
  if (!value_->is_string()) Expected("a text");
  return value_->get_ref<const std::string&>();
}

int64_t JsonPart::Number(int64_t least, int64_t most) const {
  const bool fits = value_->is_number_integer() &&
                    (!value_->is_number_unsigned() ||
                     value_->get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) &&
                    value_->get<int64_t>() >= least && value_->get<int64_t>() <= most;
  if (!fits) Expected("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value_->get<int64_t>();
}

double JsonPart::Real() const {
  if (!value_->is_number()) Expected("a number");
  return value_->get<double>();
}

bool JsonPart::Bool(const char* name, bool otherwise) const { return Has(name) ? At(name).Bool() : otherwise; }

std::string JsonPart::Text(const char* name, const std::string& otherwise) const {
  return Has(name) ? At(name).Text() : otherwise;
}

int64_t JsonPart::Number(const char* name, int64_t least, int64_t most, int64_t otherwise) const {
  return Has(name) ? At(name).Number(least, most) : otherwise;
}

}  // namespace kuiper_infer::text

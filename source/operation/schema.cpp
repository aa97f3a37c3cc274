// SPDX-License-Identifier: MIT
#include "operation/schema.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace kuiper_infer {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '(') ? 1 : (c == ']' || c == ')') ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string Trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Reads a default, which is written as in PyTorch's schemas: None, True, 1, 1e-5, [0,1], or a bare word for strings.
Value ParseDefault(const std::string& text) {
  if (text == "None") return {};
  if (text == "True" || text == "False") return text == "True";
  if (!text.empty() && text.front() == '[') {
    Value::List items;
    const std::string inner = text.substr(1, text.size() - 2);
    if (!inner.empty()) {
      for (const std::string& item : Split(inner, ',')) items.push_back(ParseDefault(Trim(item)));
    }
    return items;
  }
  char* end = nullptr;
  const long long integer = std::strtoll(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0') return static_cast<int64_t>(integer);
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return number;
  return text;
}

struct KindRow {
  const char* text;
  ArgumentKind kind;
  ArgumentKind list_kind;
};

constexpr KindRow kKinds[] = {
    {"Tensor", ArgumentKind::kTensor, ArgumentKind::kTensorList},
    {"int", ArgumentKind::kInt, ArgumentKind::kIntList},
    {"float", ArgumentKind::kFloat, ArgumentKind::kFloatList},
    {"any", ArgumentKind::kAny, ArgumentKind::kAny},
    {"bool", ArgumentKind::kBool, ArgumentKind::kAny},
    {"str", ArgumentKind::kString, ArgumentKind::kAny},
    {"Scalar", ArgumentKind::kNumber, ArgumentKind::kAny},
    {"dtype", ArgumentKind::kType, ArgumentKind::kAny},
};

void ParseKind(const std::string& text, ArgumentSchema& argument) {
  std::string base = text;
  if (!base.empty() && base.back() == '?') {
    argument.optional = true;
    base.pop_back();
  }
  if (const auto bracket = base.find('['); bracket != std::string::npos) {
    argument.list = true;
    argument.count = std::atoi(base.c_str() + bracket + 1);
    base.resize(bracket);
    if (!base.empty() && base.back() == '?') base.pop_back();  // "Tensor?[]"
  }
  for (const KindRow& row : kKinds) {
    if (base == row.text) {
      argument.kind = argument.list ? row.list_kind : row.kind;
      return;
    }
  }
  throw std::logic_error("unknown kind '" + text + "' in a schema");
}

std::vector<ArgumentSchema> ParseArguments(const std::string& text) {
  std::vector<ArgumentSchema> arguments;
  for (const std::string& part : Split(text, ',')) {
    const std::string item = Trim(part);
    if (item.empty() || item == "*") continue;
    const auto space = item.find(' ');
    if (space == std::string::npos) throw std::logic_error("schema item '" + item + "' needs a kind and a name");
    ArgumentSchema argument;
    ParseKind(item.substr(0, space), argument);
    std::string names = Trim(item.substr(space));
    if (const auto equals = names.find('='); equals != std::string::npos) {
      argument.default_value = ParseDefault(Trim(names.substr(equals + 1)));
      names.resize(equals);
    }
    argument.aliases = Split(Trim(names), '|');
    argument.name = argument.aliases.front();
    argument.aliases.erase(argument.aliases.begin());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace

const std::vector<ArgumentSchema>& Schema::arguments() const {
  std::call_once(parsed_, [this] { arguments_ = ParseArguments(text_); });
  return arguments_;
}

int Schema::Find(const std::string& name) const {
  const std::vector<ArgumentSchema>& all = arguments();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& aliases = all[i].aliases;
    if (all[i].name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string KindText(const ArgumentSchema& argument) {
  std::string text = "any";
  for (const KindRow& row : kKinds) {
    if (argument.kind != (argument.list ? row.list_kind : row.kind)) continue;
    text = row.text;
    if (argument.list) text += "[" + (argument.count > 0 ? std::to_string(argument.count) : "") + "]";
    break;
  }
  return argument.optional ? text + "?" : text;
}

}  // namespace kuiper_infer

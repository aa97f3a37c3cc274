// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/build_option_table.hpp"
#include "runtime/precision.hpp"

namespace kuiper_infer {
namespace {

/// The value as text; empty while the option is unset.
struct TextOfMember {
  const BuildOptions& options;

  std::string operator()(bool BuildOptions::*member) const { return options.*member ? "on" : "off"; }
  std::string operator()(std::optional<bool> BuildOptions::*member) const {
    const std::optional<bool>& value = options.*member;
    return value.has_value() ? (*value ? "on" : "off") : "";
  }
  std::string operator()(std::string BuildOptions::*member) const { return options.*member; }
  std::string operator()(Precision BuildOptions::*member) const { return PrecisionName(options.*member); }
  template <class Number>
  std::string operator()(Number BuildOptions::*member) const {
    return options.*member == 0 ? "" : std::to_string(options.*member);
  }
};

/// Throws if the value is wrong.
struct FaultOfMember {
  const BuildOption& option;
  const BuildOptions& options;
  const std::string& origin;

  void operator()(bool BuildOptions::* /*member*/) const {}
  void operator()(std::optional<bool> BuildOptions::* /*member*/) const {}
  void operator()(Precision BuildOptions::*member) const {
    const auto number = static_cast<std::size_t>(options.*member);
    if (number < option.words.size()) return;
    throw Error(ErrorCode::kArgument, origin + " is " + std::to_string(number) + ", expected " + ExpectedText(option));
  }
  void operator()(std::string BuildOptions::*member) const {
    const std::string& text = options.*member;
    const std::vector<std::string>& words = option.words;
    if (text.empty() || words.empty() || std::find(words.begin(), words.end(), text) != words.end()) return;
    throw Error(ErrorCode::kArgument, origin + " is '" + text + "', expected " + ExpectedText(option));
  }
  template <class Number>
  void operator()(Number BuildOptions::*member) const {
    const int64_t number = options.*member;
    if (number >= option.least && number <= option.most) return;
    throw Error(ErrorCode::kInput, origin + " is " + std::to_string(number) + ", expected " + ExpectedText(option));
  }
};

}  // namespace

std::string ValueText(const BuildOption& option, const BuildOptions& options) {
  const std::string text = std::visit(TextOfMember{options}, option.member);
  if (!text.empty()) return text;
  return option.variable.empty() ? option.fallback : "as " + option.variable + " says, else " + option.fallback;
}

std::string ExpectedText(const BuildOption& option) {
  if (option.is_folder) return "a folder";
  std::string text;
  for (const std::string& word : option.words) {
    if (!text.empty()) text += word == option.words.back() ? ", or " : ", ";
    text += word;
  }
  if (!text.empty()) return text;
  const bool is_number = std::holds_alternative<int BuildOptions::*>(option.member) ||
                         std::holds_alternative<int64_t BuildOptions::*>(option.member);
  return is_number ? std::to_string(option.least) + " or more" : "off or on";
}

void CheckBuildOption(const BuildOption& option, const BuildOptions& options, const std::string& origin) {
  std::visit(FaultOfMember{option, options, origin}, option.member);
}

void CheckBuildOptions(const BuildOptions& options) {
  for (const BuildOption& option : BuildOptionTable()) CheckBuildOption(option, options, "the option " + option.name);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "text/chat/prompt_builder.hpp"

#include <array>
#include <ctime>

namespace kuiper_infer::text {
namespace {

/// Today as "27 Nov 2026", with English names of months whatever the locale.
std::string Today() {
  constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  localtime_r(&now, &day);
  const std::string number = std::to_string(day.tm_mday);
  return (number.size() < 2 ? "0" : "") + number + " " + kMonths.at(static_cast<std::size_t>(day.tm_mon)) + " " +
         std::to_string(day.tm_year + 1900);
}

}  // namespace

void PromptBuilder::Markup(std::string_view text) {
  constexpr std::string_view kDate = "{date}";
  const std::size_t at = text.find(kDate);
  if (at == std::string_view::npos) return Append(text, true);
  Append(text.substr(0, at), true);
  Append(date_.empty() ? Today() : date_, true);
  Append(text.substr(at + kDate.size()), true);
}

void PromptBuilder::Append(std::string_view text, bool markup) {
  if (text.empty()) return;
  if (parts_.empty() || parts_.back().markup != markup) parts_.push_back({"", markup});
  parts_.back().text += text;
}

}  // namespace kuiper_infer::text

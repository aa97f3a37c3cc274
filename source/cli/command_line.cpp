// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>

namespace kuiper_infer::cli {
namespace {

/// Reads a text that is a number as a whole. Returns false if it is not, or if the number does not fit the type. CLI11
/// by itself accepts "nan" and numbers that are too large or negative for the type, and reads "010" as 8.
template <class T>
bool ParseNumber(const std::string& text, T& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(number);
  return true;
}

/// A number for messages, without the zeros that std::to_string adds.
template <class T>
std::string Text(T number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof(digits), number).ptr};
}

std::string Unlike(const std::string& found, const std::string& expected) {
  return "found '" + found + "', expected " + expected;
}

/// Makes a check that each value is a number of type T that `accepts` accepts. The message ends with `expected`, the
/// help shows `help`. The check removes leading zeros from the text, which CLI11 then converts.
template <class T, class Accepts>
CLI::Validator NumberThat(const std::string& expected, const std::string& help, const Accepts& accepts) {
  return {[=](std::string& text) {
            T number{};
            if (!ParseNumber(text, number) || !accepts(number)) return Unlike(text, expected);
            text = Text(number);
            return std::string();
          },
          help};
}

template <class T>
CLI::Validator NumberBetween(T least, T most, bool in_help) {
  const std::string kind = std::is_integral_v<T> ? "a whole number " : "a number ";
  const std::string range = "from " + Text(least) + " to " + Text(most);
  const bool open = most == std::numeric_limits<T>::max();
  const std::string help = open ? "at least " + Text(least) : range;
  return NumberThat<T>(kind + range, in_help ? help : "", [=](T number) { return number >= least && number <= most; });
}

/// The check that every option of a type has, besides its own checks.
template <class T>
struct ValueCheck {
  static CLI::Validator Make() {
    if constexpr (std::is_integral_v<T>) {
      return NumberBetween(std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), false);
    } else {
      return NumberThat<T>("a finite number", "", [](T /*number*/) { return true; });
    }
  }
};
template <>
struct ValueCheck<std::string> {
  static CLI::Validator Make() {
    return {[](std::string& text) { return text.empty() ? Unlike(text, "a value that is not empty") : ""; }, ""};
  }
};
template <class T>
struct ValueCheck<std::vector<T>> : ValueCheck<T> {};

}  // namespace

Option Option::Required(bool required) const { return Option(option_->required(required)); }
Option Option::Description(const std::string& text) const { return Option(option_->description(text)); }
Option Option::ShowsDefault() const { return Option(option_->capture_default_str()); }
Option Option::Excludes(const Option& other) const { return Option(option_->excludes(other.option_)); }
Option Option::ShowsDefault(const std::string& text) const { return Option(option_->default_str(text)); }
// CLI11 asks the validator that was added last first, so that a range tells more than the check of the type.
Option Option::InRange(int least, int most) const {
  return Option(option_->transform(NumberBetween(least, most, true)));
}
Option Option::InRange(int64_t least, int64_t most) const {
  return Option(option_->transform(NumberBetween(least, most, true)));
}
Option Option::InRange(double least, double most) const {
  return Option(option_->transform(NumberBetween(least, most, true)));
}
Option Option::Positive() const {
  return Option(
      option_->transform(NumberThat<float>("a positive number", "positive", [](float number) { return number > 0; })));
}
Option Option::NotZero() const {
  return Option(option_->transform(
      NumberThat<float>("a number other than 0", "not 0", [](float number) { return number != 0; })));
}
Option Option::OneOf(const std::vector<std::string>& words) const {
  return Option(option_->check(CLI::IsMember(words)));
}
Option Option::Values(int least, int most) const { return Option(option_->expected(least, most)); }
Option Option::OneValueEach() const { return Option(option_->allow_extra_args(false)); }

Command::Command(CLI::App& app, const std::string& name, const std::string& description)
    : app_(app.add_subcommand(name, description)) {}

template <class T>
Option Command::Add(const std::string& names, T& value, const std::string& description) const {
  return Option(app_->add_option(names, value, description)->transform(ValueCheck<T>::Make()));
}

template Option Command::Add(const std::string&, std::string&, const std::string&) const;
template Option Command::Add(const std::string&, int&, const std::string&) const;
template Option Command::Add(const std::string&, int64_t&, const std::string&) const;
template Option Command::Add(const std::string&, std::size_t&, const std::string&) const;
template Option Command::Add(const std::string&, float&, const std::string&) const;
template Option Command::Add(const std::string&, double&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<int64_t>&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<float>&, const std::string&) const;

Option Command::AddText(const std::string& name, std::function<void(const std::string&)> take,
                        const std::string& description) const {
  return Option(app_->add_option_function<std::string>(name, std::move(take), description)
                    ->transform(ValueCheck<std::string>::Make()));
}

Option Command::AddFlag(const std::string& name, bool& value, const std::string& description) const {
  return Option(app_->add_flag(name, value, description));
}

Option Command::AddSwitchOff(const std::string& name, std::optional<bool>& value,
                             const std::string& description) const {
  return Option(app_->add_flag_callback(
      name, [&value] { value = false; }, description));
}

void Command::SetFooter(const std::string& text) const { app_->footer(text); }

void Command::SetUsageCheck(std::function<std::string()> fault) const {
  app_->parse_complete_callback([fault = std::move(fault)] {
    if (const std::string text = fault(); !text.empty()) throw CLI::ValidationError(text);
  });
}

void Command::SetAction(Action& action, Action run) const {
  app_->callback([&action, run = std::move(run)] { action = run; });
}

}  // namespace kuiper_infer::cli

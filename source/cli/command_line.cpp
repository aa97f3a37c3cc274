// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <cstdint>
#include <utility>

#include <CLI/CLI.hpp>

namespace kuiper_infer::cli {

Option Option::Required(bool required) const { return Option(option_->required(required)); }
Option Option::Description(const std::string& text) const { return Option(option_->description(text)); }
Option Option::ShowsDefault() const { return Option(option_->capture_default_str()); }
Option Option::Excludes(const Option& other) const { return Option(option_->excludes(other.option_)); }
Option Option::InRange(int least, int most) const { return Option(option_->check(CLI::Range(least, most))); }
Option Option::InRange(double least, double most) const { return Option(option_->check(CLI::Range(least, most))); }
Option Option::Positive() const { return Option(option_->check(CLI::PositiveNumber)); }
Option Option::OneOf(const std::vector<std::string>& words) const {
  return Option(option_->check(CLI::IsMember(words)));
}
Option Option::Values(int least, int most) const { return Option(option_->expected(least, most)); }
Option Option::OneValueEach() const { return Option(option_->allow_extra_args(false)); }

Command::Command(CLI::App& app, const std::string& name, const std::string& description)
    : app_(app.add_subcommand(name, description)) {}

template <class T>
Option Command::Add(const std::string& names, T& value, const std::string& description) const {
  return Option(app_->add_option(names, value, description));
}

template Option Command::Add(const std::string&, std::string&, const std::string&) const;
template Option Command::Add(const std::string&, int&, const std::string&) const;
template Option Command::Add(const std::string&, std::size_t&, const std::string&) const;
template Option Command::Add(const std::string&, float&, const std::string&) const;
template Option Command::Add(const std::string&, double&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<int64_t>&, const std::string&) const;
template Option Command::Add(const std::string&, std::vector<float>&, const std::string&) const;

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

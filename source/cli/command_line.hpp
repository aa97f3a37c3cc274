// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kuiper_infer::cli {

// How commands declare their options. CLI11 reads the command line. Its header adds seconds and a hundred kilobytes to
// each file that includes it, so only command_line.cpp and main.cpp do.

/// The function that main calls after parsing the command line. Returns the exit code; throws Error for any fault of
/// model, input or files.
using Action = std::function<int()>;

/// A handle of one option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option Required(bool required = true) const;
  Option Description(const std::string& text) const;
  /// The help shows the value that the variable has now.
  Option ShowsDefault() const;
  /// The help shows this text as the default.
  Option ShowsDefault(const std::string& text) const;
  /// Makes it an error if the command line has both options.
  Option Excludes(const Option& other) const;
  Option InRange(int least, int most) const;
  Option InRange(int64_t least, int64_t most) const;
  Option InRange(double least, double most) const;
  Option Positive() const;
  Option NotZero() const;
  Option OneOf(const std::vector<std::string>& words) const;
  /// Sets the smallest and the largest number of values that follow the option.
  Option Values(int least, int most) const;
  /// One value follows the option, which may be given several times.
  Option OneValueEach() const;

 private:
  CLI::Option* option_;
};

/// A subcommand of the program.
class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& description);

  /// An option "--name", a positional argument "name" or both, "--name,name", which sets `value`: std::string, int,
  /// int64_t, std::size_t, float, double, or a vector of std::string, int64_t or float. A number that is not finite or
  /// does not fit the type, and an empty text, are errors of usage. `value` has to live until the command line is
  /// parsed.
  template <class T>
  Option Add(const std::string& names, T& value, const std::string& description) const;
  /// An option that calls `take` with its text. An empty text is an error of usage.
  Option AddText(const std::string& name, std::function<void(const std::string&)> take,
                 const std::string& description) const;
  Option AddFlag(const std::string& name, bool& value, const std::string& description) const;
  /// A flag that sets `value` to false.
  Option AddSwitchOff(const std::string& name, std::optional<bool>& value, const std::string& description) const;
  /// Sets the last part of the help.
  void SetFooter(const std::string& text) const;
  /// Sets a check of the options taken together, which is called after they are read. It returns an error of usage, or
  /// an empty text.
  void SetUsageCheck(std::function<std::string()> fault) const;
  /// Sets `action` to `run` if the command line has this command.
  void SetAction(Action& action, Action run) const;

 private:
  CLI::App* app_;
};

}  // namespace kuiper_infer::cli

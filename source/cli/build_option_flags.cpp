// SPDX-License-Identifier: MIT
#include "cli/build_option_flags.hpp"

#include <algorithm>
#include <cctype>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/build_option_table.hpp"

namespace kuiper_infer::cli {
namespace {

/// Adds the flag of an option, by the type of its member.
struct FlagAdder {
  const Command& command;
  const BuildOption& option;
  BuildOptions& build;

  /// The help, with what holds while the option is unset.
  std::string Help() const {
    const std::string unset = option.fallback.empty() ? "" : "; default: " + ValueText(option, {});
    return option.help + unset;
  }

  void operator()(bool BuildOptions::*member) const { command.AddFlag(option.flag, build.*member, Help()); }
  void operator()(std::optional<bool> BuildOptions::*member) const {
    std::string off = option.help;
    off.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(off.front())));
    command.AddSwitchOff(option.flag, build.*member, "Don't " + off);
  }
  void operator()(std::string BuildOptions::*member) const {
    const Option added = command.Add(option.flag, build.*member, Help());
    if (!option.words.empty()) added.OneOf(option.words);
  }
  void operator()(Precision BuildOptions::*member) const {
    BuildOptions& target = build;
    command
        .AddText(
            option.flag, [&target, member](const std::string& name) { target.*member = PrecisionOf(name); }, Help())
        .OneOf(option.words)
        .ShowsDefault(ValueText(option, build));
  }
  template <class Number>
  void operator()(Number BuildOptions::*member) const {
    const int64_t least = option.zero_is_none ? std::max<int64_t>(option.least, 1) : option.least;
    const int64_t most = std::min(option.most, option.most_useful);
    command.Add(option.flag, build.*member, Help()).InRange(static_cast<Number>(least), static_cast<Number>(most));
  }
};

}  // namespace

void AddBuildOptions(const Command& command, BuildOptions& build) {
  for (const BuildOption& option : BuildOptionTable()) std::visit(FlagAdder{command, option, build}, option.member);
}

void AddBuildOption(const Command& command, const std::string& name, BuildOptions& build) {
  const std::vector<BuildOption>& table = BuildOptionTable();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& option) { return option.name == name; });
  if (found == table.end()) throw Error(ErrorCode::kInput, "there is no option " + name);
  std::visit(FlagAdder{command, *found, build}, found->member);
}

std::map<std::string, std::string> DescribeBuildOptions(const BuildOptions& build) {
  std::map<std::string, std::string> described;
  for (const BuildOption& option : BuildOptionTable()) described[option.name] = ValueText(option, build);
  return described;
}

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "cli/command_line.hpp"
#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer::cli {

/// Adds the flags of all options of BuildOptionTable, which set the members of `build`. It must outlive the command.
void AddBuildOptions(const Command& command, BuildOptions& build);

/// Adds the flag of one option by its name in BuildOptionTable.
void AddBuildOption(const Command& command, const std::string& name, BuildOptions& build);

/// Each option's value as text by its name, for reports.
std::map<std::string, std::string> DescribeBuildOptions(const BuildOptions& build);

}  // namespace kuiper_infer::cli

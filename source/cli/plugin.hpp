// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace kuiper_infer::cli {

/// The option --plugin, which names files for LoadPlugins.
void AddPluginOption(const Command& command, std::vector<std::string>& files);

/// Loads shared objects whose LayerRegistererWrapper objects register operators. They stay loaded until the program
/// ends. Throws Error(kFile) if a file is absent, incomplete or not a shared object, and Error(kArgument) if it
/// registers a type that is registered already, or no type.
void LoadPlugins(const std::vector<std::string>& files);

}  // namespace kuiper_infer::cli

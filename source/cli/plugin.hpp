// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace kuiper_infer::cli {

/// The option --plugin, which names files for LoadPlugins.
void AddPluginOption(const Command& command, std::vector<std::string>& files);

/// Loads shared objects whose LayerRegistererWrapper objects register a user's operators. They stay loaded until the
/// program ends. Throws Error(kFile) where a file is absent, incomplete or no shared object, and Error(kArgument) where
/// it registers a type that is registered already, or none.
void LoadPlugins(const std::vector<std::string>& files);

}  // namespace kuiper_infer::cli

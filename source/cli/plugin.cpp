// SPDX-License-Identifier: MIT
#include "cli/plugin.hpp"

#include "cli/load_plugin.hpp"

namespace kuiper_infer::cli {

void AddPluginOption(const Command& command, std::vector<std::string>& files) {
  command.Add("--plugin", files, "A shared object with operators of your own (docs/plugins.md)").OneValueEach();
}

void LoadPlugins(const std::vector<std::string>& files) {
  if (!files.empty()) ShowLibrary();
  for (const std::string& file : files) LoadPlugin(file);
}

}  // namespace kuiper_infer::cli

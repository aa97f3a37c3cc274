// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.hpp"

namespace kuiper_infer::cli {

// Each function adds a subcommand. If the command line has that subcommand, it sets `action`.
void AddRunCommand(CLI::App& app, Action& action);
void AddInfoCommand(CLI::App& app, Action& action);
void AddBenchCommand(CLI::App& app, Action& action);
void AddProfileCommand(CLI::App& app, Action& action);
void AddGraphCommand(CLI::App& app, Action& action);
void AddReportCommand(CLI::App& app, Action& action);
void AddOpsCommand(CLI::App& app, Action& action);
void AddQuantizeCommand(CLI::App& app, Action& action);
void AddStripCommand(CLI::App& app, Action& action);
void AddGenerateCommand(CLI::App& app, Action& action);
void AddTokenizeCommand(CLI::App& app, Action& action);

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.hpp"

namespace kuiper_infer::cli {

// Each adds a subcommand, which sets `action` where the command line has it.
void AddRunCommand(CLI::App& app, Action& action);
void AddInfoCommand(CLI::App& app, Action& action);
void AddBenchCommand(CLI::App& app, Action& action);
void AddProfileCommand(CLI::App& app, Action& action);
void AddGraphCommand(CLI::App& app, Action& action);
void AddReportCommand(CLI::App& app, Action& action);
void AddOpsCommand(CLI::App& app, Action& action);
void AddQuantizeCommand(CLI::App& app, Action& action);

}  // namespace kuiper_infer::cli

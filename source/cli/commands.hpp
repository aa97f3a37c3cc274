// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace kuiper_infer::cli {

/// Each function below adds a subcommand; `action` is set to what main calls once the command line is parsed. The
/// action throws Error for anything wrong with model, input or files, and returns the exit code.
using Action = std::function<int()>;

void AddRunCommand(CLI::App& app, Action& action);
void AddInfoCommand(CLI::App& app, Action& action);
void AddBenchCommand(CLI::App& app, Action& action);
void AddProfileCommand(CLI::App& app, Action& action);
void AddGraphCommand(CLI::App& app, Action& action);
void AddOpsCommand(CLI::App& app, Action& action);

}  // namespace kuiper_infer::cli

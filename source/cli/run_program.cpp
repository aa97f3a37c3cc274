// SPDX-License-Identifier: MIT
#include "cli/run_program.hpp"

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/nearest_name.hpp"
#include "cli/terminal/standard_output.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/version.h"
#include "utils/system/log.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr int kModelOrInputWrong = 1;
constexpr int kUsageWrong = 2;

/// The message as the single line that the command line promises.
void PrintError(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  std::cerr << "error: " << text << "\n";
}

/// The word in the place of a command that is not a command; empty if there is a command, no word, or an unknown
/// option.
std::string UnknownCommand(const CLI::App& app) {
  const std::vector<std::string> rest = app.get_subcommands().empty() ? app.remaining() : std::vector<std::string>{};
  return rest.empty() || rest.front().rfind('-', 0) == 0 ? "" : rest.front();
}

void PrintUnknownCommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  PrintError("unknown command '" + word + "', the nearest one is '" + NearestName(word, commands) +
             "'; `kuiper --help` lists all");
}

}  // namespace

int RunProgram(int argc, const char* const* argv) {
  PrepareStandardFiles();
  ShowLog(false);  // errors are reported once, below
  CLI::App app{"Runs neural networks exported by pnnx on the CPU."};
  app.footer(
      "Examples:\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --output-dir out\n"
      "  kuiper info m.pnnx.param m.pnnx.bin\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper profile --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper graph m.pnnx.param\n"
      "  kuiper report m.pnnx.param m.pnnx.bin --output m.html\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --images pictures --output m_int8\n"
      "  kuiper tokenize --tokenizer tokenizer.json\n"
      "  kuiper ops\n"
      "  kuiper generate --param m.pnnx.param --bin m.pnnx.bin --tokenizer tokenizer.json --prompt 'Once upon a time'");
  app.require_subcommand(1);
  app.set_version_flag("--version", "kuiper " KUIPER_VERSION);
  bool verbose = false;
  app.add_flag("--verbose", verbose, "Show the library's log on standard error");
  Action action;
  AddRunCommand(app, action);
  AddInfoCommand(app, action);
  AddBenchCommand(app, action);
  AddProfileCommand(app, action);
  AddGraphCommand(app, action);
  AddReportCommand(app, action);
  AddOpsCommand(app, action);
  AddQuantizeCommand(app, action);
  AddStripCommand(app, action);
  AddGenerateCommand(app, action);
  AddTokenizeCommand(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string word = UnknownCommand(app); error.get_exit_code() != 0 && !word.empty()) {
      PrintUnknownCommand(app, word);
      return kUsageWrong;
    }
    if (app.exit(error) != 0) return kUsageWrong;
    action = [] { return 0; };  // help or the version was asked for
  }
  if (verbose) ShowLog(true);
  try {
    const int code = action();
    FinishStandardOutput();
    return code;
  } catch (const std::bad_alloc&) {
    PrintError("not enough memory");
  } catch (const std::exception& error) {
    PrintError(error.what());
  }
  return kModelOrInputWrong;
}

}  // namespace kuiper_infer::cli

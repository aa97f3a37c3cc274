// SPDX-License-Identifier: MIT
#include <exception>
#include <iostream>
#include <new>

#include <glog/logging.h>

#include "cli/commands.hpp"
#include "kuiper_infer/utils/error.hpp"

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

}  // namespace

int main(int argc, char** argv) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = google::GLOG_FATAL;  // errors are reported once, below
  CLI::App app{"Runs neural networks exported by pnnx on the CPU."};
  app.footer(
      "Examples:\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --output-dir out\n"
      "  kuiper info m.pnnx.param m.pnnx.bin\n"
      "  kuiper bench --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper profile --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper graph --param m.pnnx.param --bin m.pnnx.bin --output m.svg\n"
      "  kuiper ops");
  app.require_subcommand(1);
  bool verbose = false;
  app.add_flag("--verbose", verbose, "Show the library's log on standard error");
  kuiper_infer::cli::Action action;
  kuiper_infer::cli::AddRunCommand(app, action);
  kuiper_infer::cli::AddInfoCommand(app, action);
  kuiper_infer::cli::AddBenchCommand(app, action);
  kuiper_infer::cli::AddProfileCommand(app, action);
  kuiper_infer::cli::AddGraphCommand(app, action);
  kuiper_infer::cli::AddOpsCommand(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageWrong;
  }
  if (verbose) FLAGS_minloglevel = google::GLOG_INFO;
  try {
    return action();
  } catch (const std::bad_alloc&) {
    PrintError("not enough memory");
  } catch (const std::exception& error) {
    PrintError(error.what());
  }
  return kModelOrInputWrong;
}

// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <unistd.h>

#include <sys/wait.h>

#include "cli/commands.hpp"
#include "cli/graph_drawing.hpp"
#include "cli/model_session.hpp"
#include "cli/step_times.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw Error(ErrorCode::kFile, path + ": cannot be written");
}

/// By Graphviz's program `dot`.
void DrawSvg(const std::string& dot, const std::string& path) {
  const std::string source = path + ".dot";
  WriteText(source, dot);
  const char* const arguments[] = {"dot", "-Tsvg", "-o", path.c_str(), source.c_str(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, "dot", nullptr, nullptr, const_cast<char* const*>(arguments), environ);
  int status = -1;
  if (failure == 0) waitpid(child, &status, 0);
  std::error_code ignored;
  std::filesystem::remove(source, ignored);
  constexpr int kNotFound = 127;
  if (failure != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)) {
    throw Error(ErrorCode::kResource, "the program `dot` cannot be run: install graphviz, or ask for a .dot file");
  }
  if (status != 0) throw Error(ErrorCode::kFile, path + ": `dot` could not draw it");
}

}  // namespace

void AddGraphCommand(CLI::App& app, Action& action) {
  struct Options {
    ModelOptions model;
    std::string output;
    int runs = 0;
  };
  CLI::App* command =
      app.add_subcommand("graph", "Draw the graph as it is run: methods, layouts, joined operators, time");
  auto options = std::make_shared<Options>();
  options->model.AddTo(*command, true);
  command->add_option("--output", options->output, "FILE.svg (needs graphviz) or FILE.dot")->required();
  command->add_option("--runs", options->runs, "Measure so many runs and colour operators by their share of the time")
      ->check(CLI::Range(0, 100000))
      ->capture_default_str();
  command->footer(
      "Operators in dashed boxes take no step of their own: they are joined with another, or views.\n"
      "Examples:\n"
      "  kuiper graph --param m.pnnx.param --bin m.pnnx.bin --output m.svg\n"
      "  kuiper graph --param m.pnnx.param --bin m.pnnx.bin --shape pnnx_input_0=1,1,32,200 --runs 20 --output m.svg");
  command->callback([options, &action] {
    action = [options] {
      const std::string extension = std::filesystem::path(options->output).extension().string();
      if (extension != ".svg" && extension != ".dot") {
        throw Error(ErrorCode::kInput, "--output " + options->output + ": expected FILE.svg or FILE.dot");
      }
      RuntimeGraph graph = LoadModel(options->model);
      SetInputs(graph, options->model, true);
      const Steps steps = MeasureSteps(graph, std::max(1, options->runs));
      const std::string dot = MakeDot(graph, steps, options->runs > 0);
      extension == ".dot" ? WriteText(options->output, dot) : DrawSvg(dot, options->output);
      return 0;
    };
  });
}

}  // namespace kuiper_infer::cli

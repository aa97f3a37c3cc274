// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <unistd.h>

#include <sys/wait.h>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/step_times.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

/// What became of an operator: its steps, or none where it was joined with another or is only a view.
struct Drawn {
  double seconds = 0;
  std::string method;
  bool has_step = false;
  bool channels_last = false;
};

std::map<std::string, Drawn> CollectSteps(const Steps& steps) {
  std::map<std::string, Drawn> drawn;
  for (const auto& step : steps) {
    Drawn& op = drawn[step.name];
    op.seconds += step.seconds;
    op.has_step = true;
    op.channels_last = op.channels_last || step.channels_last;
    if (!step.method.empty()) op.method = step.method;
  }
  return drawn;
}

/// A string of the DOT language.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// From white to red by the share of time, on a scale of square roots: most shares are small.
std::string Heat(double share) {
  char color[16];
  const int fade = 255 - static_cast<int>(std::lround(200 * std::sqrt(std::min(1.0, 4 * share))));
  std::snprintf(color, sizeof(color), "#ff%02x%02x", static_cast<unsigned>(fade), static_cast<unsigned>(fade));
  return color;
}

std::string ShapeOf(const RuntimeOperand& operand) {
  return operand.has_shape ? ShapeString(Shape(operand.shapes.begin(), operand.shapes.end())) : "";
}

std::string NodeOf(const RuntimeOperator& op, const std::map<std::string, Drawn>& drawn, double total) {
  const bool border = op.type == "pnnx.Input" || op.type == "pnnx.Output";
  const auto found = drawn.find(op.name);
  std::ostringstream node;
  std::ostringstream label;
  label << op.type << "\n" << op.name;
  std::string style = "shape=box, style=\"rounded,filled\", fillcolor=white";
  if (border) {
    style = "shape=oval, style=filled, fillcolor=lightblue";
  } else if (found == drawn.end()) {
    style = "shape=box, style=\"rounded,dashed\", color=gray, fontcolor=gray40";
  } else {
    const Drawn& step = found->second;
    if (!step.method.empty()) label << "\n" << step.method;
    if (step.channels_last) label << "\nchannels last";
    if (total > 0) {
      char share[48];
      std::snprintf(share, sizeof(share), "%.3f ms, %.1f %%", step.seconds * 1e3, 100 * step.seconds / total);
      label << "\n" << share;
      style = "shape=box, style=\"rounded,filled\", fillcolor=" + Quote(Heat(step.seconds / total));
    }
  }
  std::string text = Quote(label.str());
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "\\n");
  node << "  " << Quote(op.name) << " [label=" << text << ", " << style << "];\n";
  return node.str();
}

std::string MakeDot(const RuntimeGraph& graph, const Steps& steps, bool timed) {
  const std::map<std::string, Drawn> drawn = CollectSteps(steps);
  const double total = timed ? Total(steps) : 0;
  std::map<const RuntimeOperand*, std::string> producers;
  std::ostringstream dot;
  dot << "digraph model {\n  node [fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", "
         "fontsize=9];\n";
  for (const auto& op : graph.operators()) {
    dot << NodeOf(*op, drawn, total);
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = op->name;
  }
  for (const auto& op : graph.operators()) {
    for (const auto& operand : op->input_operands_seq) {
      dot << "  " << Quote(producers[operand.get()]) << " -> " << Quote(op->name)
          << " [label=" << Quote(ShapeOf(*operand)) << "];\n";
    }
  }
  dot << "}\n";
  return dot.str();
}

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

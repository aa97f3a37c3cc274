// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/graph/graph_drawing.hpp"
#include "cli/model_session.hpp"
#include "cli/terminal/child_program.hpp"
#include "data/byte_source.hpp"
#include "data/file_writer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/step_times.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer::cli {
namespace {

/// A file that is removed with the object.
struct TemporaryFile {
  std::string path;

  ~TemporaryFile() { RemoveFile(path); }
};

/// Writes a picture by Graphviz's program `dot`. It draws to a file beside `path`, because it would wait for a reader
/// if `path` were a FIFO.
void DrawSvg(const std::string& dot, const std::string& path) {
  const TemporaryFile source{path + ".dot"};
  const TemporaryFile drawn{path + ".drawn"};
  WriteFile(source.path, dot);
  const std::optional<int> code = RunAndWait({"dot", "-Tsvg", "-o", drawn.path, source.path});
  if (!code) {
    throw Error(ErrorCode::kResource, "the program `dot` cannot be run: install graphviz, or ask for a .dot file");
  }
  if (*code != 0) throw Error(ErrorCode::kFile, path + ": `dot` could not draw it");
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  WriteFile(path, ByteSource::OpenFile(drawn.path)->Text(kMostBytes));
}

/// A row for each pass of planning.
void PrintPasses(const RuntimeGraph::Report& report) {
  constexpr double kMegabyte = 1e6;
  std::printf("%-22s %6s %7s %12s\n", "pass", "steps", "copies", "written, MB");
  for (const RuntimeGraph::Report::Pass& pass : report.passes) {
    std::printf("%-22s %6lld %7lld %12.2f\n", pass.name.c_str(), static_cast<long long>(pass.steps),
                static_cast<long long>(pass.copies), static_cast<double>(pass.bytes) / kMegabyte);
  }
}

}  // namespace

void AddGraphCommand(CLI::App& app, Action& action) {
  struct Options {
    ModelOptions model;
    std::string output;
    int runs = 0;
    bool full = false;
    bool passes = false;
  };
  const Command command(app, "graph", "Show the graph as it runs: methods, layouts, fused operators, times");
  auto options = std::make_shared<Options>();
  options->model.AddTo(command, true)
      .Required(false)
      .Description("The model's .pnnx.bin file; without it, all weights are zero");
  command.Add("--output", options->output, "Write FILE.svg (needs graphviz) or FILE.dot instead of printing text");
  command.AddFlag("--full", options->full, "Show each operator by itself, including repeated ones and constants");
  command.AddFlag("--passes", options->passes,
                  "Print the steps and copies that each planning pass leaves, instead of the graph");
  command.Add("--runs", options->runs, "Measure this number of runs and show each operator's share of the time")
      .InRange(0, 100000)
      .ShowsDefault();
  command.SetFooter(
      "Each row is a step of the run, with the shape of its result. Operators behind a plus sign take no step of "
      "their\n"
      "own: they are fused with a neighbour, or are views. \"5 x\" with a line or a frame means that the same "
      "operators\n"
      "come five times: extents that differ are shown as 64..256, and times are sums. \"<- 3, 7\" names the rows that "
      "a\n"
      "step reads, unless it reads only the row above. With --full, pictures show operators without a step dashed.\n"
      "Examples:\n"
      "  kuiper graph m.pnnx.param\n"
      "  kuiper graph m.pnnx.param --full --output m.svg\n"
      "  kuiper graph m.pnnx.param m.pnnx.bin --shape pnnx_input_0=1,1,32,200 --runs 20 --output m.svg");
  command.SetAction(action, [options] {
    const std::string extension = std::filesystem::u8path(options->output).extension().u8string();
    if (!options->output.empty() && extension != ".svg" && extension != ".dot") {
      throw Error(ErrorCode::kInput, "--output " + options->output + ": expected FILE.svg or FILE.dot");
    }
    RuntimeGraph graph = LoadModel(options->model);
    graph.InferShapes(SetInputs(graph, options->model, true));
    if (options->passes) {
      PrintPasses(graph.report());
      return 0;
    }
    const Steps steps = MeasureSteps(graph, std::max(1, options->runs));
    const GraphRows rows = options->full ? SingleRows(graph, steps) : FoldedRows(graph, steps);
    const double total = options->runs > 0 ? TotalSeconds(steps) : 0;
    if (options->output.empty()) {
      std::cout << MakeText(rows, total);
      return 0;
    }
    const std::string dot = MakeDot(rows, CaptionOf(graph, options->model.param, total), total);
    extension == ".dot" ? WriteFile(options->output, dot) : DrawSvg(dot, options->output);
    return 0;
  });
}

}  // namespace kuiper_infer::cli

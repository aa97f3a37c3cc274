// SPDX-License-Identifier: MIT
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/build_option_flags.hpp"
#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/report/model_report.hpp"
#include "data/file_writer.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

struct Options {
  ModelOptions model;
  std::string output;
  int runs = 10;
};

std::map<std::string, std::string> Described(const ModelOptions& model) {
  std::string files;
  for (const auto& given : {model.inputs, model.images.files}) {
    for (const std::string& file : given) files += (files.empty() ? "" : ", ") + file;
  }
  std::map<std::string, std::string> described = DescribeBuildOptions(model.build);
  described["inputs"] = files.empty() ? "random numbers" : files;
  return described;
}

int Report(const Options& options) {
  if (std::filesystem::u8path(options.output).extension() != ".html") {
    throw Error(ErrorCode::kInput, "--output '" + options.output + "': expected FILE.html");
  }
  RuntimeGraph graph = LoadModel(options.model);
  graph.InferShapes(SetInputs(graph, options.model, true));
  ReportSubject subject;
  subject.param = options.model.param;
  subject.bin = options.model.bin;
  subject.options = Described(options.model);
  subject.threads = options.model.build.num_threads;
  subject.runs = options.runs;
  WriteFile(options.output, MakeReport(graph, subject));
  std::cout << "Written: " << options.output << "\n";
  return 0;
}

}  // namespace

void AddReportCommand(CLI::App& app, Action& action) {
  const Command command(app, "report", "Write a page about a model: graph, time, memory, quantisation, machine");
  auto options = std::make_shared<Options>();
  options->model.AddTo(command, true)
      .Required(false)
      .Description("The model's .pnnx.bin file; without it, all weights are zero");
  command
      .Add("--output", options->output,
           "The page to write, FILE.html; a browser shows it without other files and without a network")
      .Required();
  command
      .Add("--runs", options->runs,
           "Number of runs with times of steps, and of runs from end to end; the fastest ones count")
      .InRange(1, 100000)
      .ShowsDefault();
  command.SetFooter(
      "Inputs without a file are random numbers. If the table NAME.quantize.csv of `kuiper quantize` lies beside\n"
      "NAME.pnnx.param, the page shows it layer by layer.\n"
      "Examples:\n"
      "  kuiper report m.pnnx.param m.pnnx.bin --output m.html\n"
      "  kuiper report m.pnnx.param m.pnnx.bin --input x.npy --threads 2 --runs 50 --output m.html");
  command.SetAction(action, [options] { return Report(*options); });
}

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/class_scores.hpp"
#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "data/npy.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

void PrintSummary(std::size_t index, const NdArray& output) {
  std::cout << "out" << index << " " << SpecString(output.spec());
  if (output.size() == 0 || IsComplex(output.type())) {
    std::cout << "\n";
    return;
  }
  const NdArray values = output.To(RuntimeDataType::kTypeFloat64);
  const double* first = values.data<double>();
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  double low = first[0];
  double high = first[0];
  for (int64_t i = 0; i < values.size(); ++i) {
    sum += first[i];
    low = std::min(low, first[i]);
    high = std::max(high, first[i]);
  }
  double squares = 0;
  for (int64_t i = 0; i < values.size(); ++i) squares += (first[i] - sum / count) * (first[i] - sum / count);
  std::cout << " mean " << sum / count << " std " << std::sqrt(squares / count) << " min " << low << " max " << high
            << " first";
  constexpr int64_t kShown = 8;
  for (int64_t i = 0; i < std::min(values.size(), kShown); ++i) std::cout << " " << first[i];
  std::cout << "\n";
}

void CreateFolder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::u8path(folder), failure);
  if (failure) throw Error(ErrorCode::kFile, folder + ": cannot create the folder: " + failure.message());
}

/// The name with everything but letters, digits, '.', '-' and '_' replaced: it comes from a file and becomes one.
std::string FileName(std::string operand) {
  for (char& letter : operand) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_';
    if (!plain && (letter != '.' || &letter == operand.data())) letter = '_';
  }
  return operand + ".npy";
}

/// Writes every operand that holds an array; lists and numbers have no file.
void DumpOperands(const RuntimeGraph& graph, const std::string& folder) {
  CreateFolder(folder);
  for (const auto& op : graph.get_topo_queues()) {
    for (const auto& operand : op->output_operands_seq) {
      if (!graph.holds_array(operand->name)) continue;
      WriteNpy((std::filesystem::u8path(folder) / FileName(operand->name)).u8string(),
               graph.operand_array(operand->name));
    }
  }
}

struct Options {
  ModelOptions model;
  std::string output_dir;
  std::string dump_dir;
  std::string labels;
  int steps = 1;
};

/// Prints the five most probable classes of each output that has scores of classes.
void PrintClasses(const std::vector<NdArray>& outputs, const std::string& labels_file) {
  const std::vector<std::string> labels = labels_file.empty() ? std::vector<std::string>{} : ReadLabels(labels_file);
  constexpr std::size_t kShown = 5;
  bool any = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::optional<std::vector<ClassScore>> scores = MostProbable(outputs[i], kShown);
    if (!scores) continue;
    any = true;
    std::cout << "most probable classes of out" << i << ":\n"
              << ClassLines(*scores, outputs[i].size(), labels, labels_file);
  }
  if (!any && !labels_file.empty()) {
    throw Error(ErrorCode::kInput,
                "--labels " + labels_file + ": no output has scores of classes, expected (1,N) real numbers");
  }
}

int Run(const Options& options) {
  RuntimeGraph graph = LoadModel(options.model);
  SetInputs(graph, options.model, false);
  if (options.dump_dir.empty()) {
    ProgressBar bar;
    RunOptions run;
    run.progress = [&](const RunProgress& progress) { bar.Show(progress); };
    for (int step = 0; step < options.steps; ++step) graph.Run(run);
  } else {
    for (int step = 0; step < options.steps; ++step) graph.Forward(true);
    DumpOperands(graph, options.dump_dir);
  }
  const std::vector<NdArray> outputs = graph.outputs();
  const bool printed = options.output_dir.empty();
  if (!printed) CreateFolder(options.output_dir);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (printed) {
      PrintSummary(i, outputs[i]);
    } else {
      WriteNpy((std::filesystem::u8path(options.output_dir) / ("out" + std::to_string(i) + ".npy")).u8string(),
               outputs[i]);
    }
  }
  if (!options.labels.empty() || (printed && !options.model.images.files.empty())) {
    PrintClasses(outputs, options.labels);
  }
  return 0;
}

}  // namespace

void AddRunCommand(CLI::App& app, Action& action) {
  const Command command(app, "run", "Run a model once on NumPy files or pictures");
  auto options = std::make_shared<Options>();
  options->model.AddTo(command, false);
  command.Add("--output-dir", options->output_dir,
              "Write out0.npy, out1.npy, ... to this folder instead of printing a summary");
  command.Add("--dump", options->dump_dir, "Write every operand that is an array to this folder, as NAME.npy");
  command.Add("--labels", options->labels,
              "A text file with one class name per line; the most probable classes are printed by name");
  command
      .Add("--steps", options->steps,
           "Run this many times, each time on the states that the run before left, and show the last outputs")
      .Positive();
  command.SetFooter(
      "Examples:\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input pnnx_input_1=mask.npy --input ids.npy --output-dir "
      "out\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --image cat.png --image-fit crop --mean 0.485 0.456 0.406 "
      "--std 0.229 0.224 0.225 --labels classes.txt\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --dump operands\n"
      "  python3 tools/compare_pytorch.py m_pnnx.py operands      # the first operator that departs from PyTorch");
  command.SetAction(action, [options] { return Run(*options); });
}

}  // namespace kuiper_infer::cli

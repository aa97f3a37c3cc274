// SPDX-License-Identifier: MIT
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/progress_bar.hpp"
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
  std::filesystem::create_directories(folder, failure);
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
      WriteNpy((std::filesystem::path(folder) / FileName(operand->name)).string(), graph.operand_array(operand->name));
    }
  }
}

int Run(const ModelOptions& options, const std::string& output_dir, const std::string& dump_dir) {
  RuntimeGraph graph = LoadModel(options);
  SetInputs(graph, options, false);
  if (dump_dir.empty()) {
    ProgressBar bar;
    RunOptions run;
    run.progress = [&](const RunProgress& progress) { bar.Show(progress); };
    graph.Run(run);
  } else {
    graph.Forward(true);
    DumpOperands(graph, dump_dir);
  }
  const std::vector<NdArray> outputs = graph.outputs();
  if (!output_dir.empty()) CreateFolder(output_dir);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (output_dir.empty()) {
      PrintSummary(i, outputs[i]);
    } else {
      WriteNpy((std::filesystem::path(output_dir) / ("out" + std::to_string(i) + ".npy")).string(), outputs[i]);
    }
  }
  return 0;
}

}  // namespace

void AddRunCommand(CLI::App& app, Action& action) {
  const Command command(app, "run", "Run a model once on NumPy files or pictures");
  auto options = std::make_shared<ModelOptions>();
  auto output_dir = std::make_shared<std::string>();
  auto dump_dir = std::make_shared<std::string>();
  options->AddTo(command, false);
  command.Add("--output-dir", *output_dir, "Write out0.npy, out1.npy, ... here; otherwise print a summary");
  command.Add("--dump", *dump_dir, "Write every operand that is an array here, as NAME.npy");
  command.SetFooter(
      "Examples:\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input pnnx_input_1=mask.npy --input ids.npy --output-dir "
      "out\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --image cat.png --image-fit crop --mean 0.485 0.456 0.406 "
      "--std 0.229 0.224 0.225\n"
      "  kuiper run --param m.pnnx.param --bin m.pnnx.bin --input x.npy --dump operands\n"
      "  python3 tools/compare_pytorch.py m_pnnx.py operands      # the first operator that departs from PyTorch");
  command.SetAction(action, [=] { return Run(*options, *output_dir, *dump_dir); });
}

}  // namespace kuiper_infer::cli

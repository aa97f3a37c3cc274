// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/plugin.hpp"
#include "cli/quantize/gate_program.hpp"
#include "cli/quantize/output_files.hpp"
#include "cli/quantize/quantize_options.hpp"
#include "cli/quantize/sample_files.hpp"
#include "cli/terminal/held_signals.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "data/file_writer.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "quantization/quantize_model.hpp"
#include "quantization/report/report_chart.hpp"
#include "quantization/report/report_csv.hpp"
#include "quantization/weights_only.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::cli {
namespace {

namespace fs = std::filesystem;
namespace q = quantization;

constexpr const char* kEndings[] = {".pnnx.param", ".pnnx.bin", ".quantize.csv", ".svg"};

/// Throws if a result would replace a file of the float model or something that is not a regular file, or if the folder
/// to write to is not a folder.
void CheckOutput(const QuantizeOptions& options) {
  std::error_code ignored;
  for (const char* ending : kEndings) {
    const std::string path = options.OutputFile(ending);
    for (const std::string& input : {options.param, options.bin}) {
      if (fs::equivalent(fs::u8path(path), fs::u8path(input), ignored)) {
        throw Error(ErrorCode::kFile, path + ": is a file of the float model, expected --output with another name");
      }
    }
    const fs::file_status status = fs::status(fs::u8path(path), ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      throw Error(ErrorCode::kFile, path + ": is not a regular file, expected --output with another name");
    }
  }
  const fs::path folder = fs::absolute(fs::u8path(options.output)).parent_path();
  if (!fs::is_directory(folder) || access(folder.u8string().c_str(), W_OK) != 0) {
    throw Error(ErrorCode::kFile, folder.u8string() + ": is not a folder that can be written to");
  }
}

void WriteResult(const QuantizeOptions& options, const q::QuantizedModel& model) {
  const HeldSignals signals;
  OutputFiles files;
  const auto beside = [&](const char* ending) { return files.Beside(options.OutputFile(ending)); };
  const std::string param = beside(".pnnx.param");
  const std::string bin = beside(".pnnx.bin");
  if (model.graph->save(param, bin) != 0) throw Error(ErrorCode::kFile, model.graph->error());
  WriteFile(beside(".quantize.csv"), q::ReportCsv(model.report));
  WriteFile(beside(".svg"), q::DrawReport(model.report, fs::u8path(options.output).filename().u8string()));
  files.Place();
  std::cout << q::ReportText(model.report) << "Written: " << options.OutputFile(".pnnx.param") << ", .pnnx.bin, "
            << ".quantize.csv, .svg\n";
}

q::Settings SettingsOf(const QuantizeOptions& options, const q::FloatModel& model, const q::Samples& samples,
                       const q::Progress& progress) {
  q::Settings settings;
  settings.timed = !options.untimed;
  const bool gains = !options.untimed && kernel::GainsByNarrowPairs(UsedUnits().int8);
  if (options.pairs == "narrow" || (options.pairs == "auto" && gains)) {
    settings.rounding = q::WeightRounding::kNarrowPairs;
  }
  settings.observer = {q::ObserverOf(options.observer), options.percentile};
  if (!options.axis.empty()) settings.answer_axis = options.axis.front();
  if (!std::isnan(options.keep)) {
    settings.gate = q::KeepGate(model, samples, options.keep, settings.answer_axis, progress);
  } else if (!std::isnan(options.decibels)) {
    settings.gate = q::DecibelGate(model, samples, options.decibels, progress);
  } else if (!options.gate.empty()) {
    settings.gate = ProgramGate({options.gate, options.at_least, options.gate_seconds}, options.output + ".trial");
  }
  return settings;
}

int Quantize(const QuantizeOptions& options) {
  LoadPlugins(options.plugins);
  CheckOutput(options);
  const q::FloatModel model{options.param, options.bin, options.build};
  if (!options.weights_only.empty()) {
    const ThreadScope threads(options.build.num_threads);
    WriteResult(options,
                q::StoreWeights(model, {options.weights_only == "int4" ? 4 : 8, options.group, options.asymmetric}));
    return 0;
  }
  const auto built = std::make_shared<RuntimeGraph>(model.Build(model.Load()));
  const q::Samples samples =
      q::SomeOf(options.pictures.empty() ? ArraySamples(options.arrays, options.cast, built)
                                         : PictureSamples(options.pictures, options.images, built),
                options.most_samples);
  ProgressBar bar;
  const q::Progress progress = [&bar](const std::string& part, std::size_t done, std::size_t total) {
    bar.Show({done, total, part, part});
  };
  WriteResult(options, q::QuantizeModel(model, samples, SettingsOf(options, model, samples, progress), progress));
  return 0;
}

}  // namespace

void AddQuantizeCommand(CLI::App& app, Action& action) {
  const Command command(app, "quantize",
                        "Quantise a model: store its weights, and with samples also its arrays, as integers");
  auto options = std::make_shared<QuantizeOptions>();
  options->AddTo(command);
  command.SetFooter(
      "Examples:\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --images pictures --image-fit crop --mean 0.485 0.456 "
      "0.406 --std 0.229 0.224 0.225 --output m_int8 --keep 0.99\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --inputs samples --output m_int8 --sqnr 25\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --inputs samples --output m_int8 --gate ./accuracy "
      "--at-least 0.91\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --weights-only int4 --group 32 --output m_int4");
  command.SetUsageCheck([options] { return options->UsageFault(); });
  command.SetAction(action, [options] { return Quantize(*options); });
}

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/gate_program.hpp"
#include "cli/plugin.hpp"
#include "cli/progress_bar.hpp"
#include "cli/sample_files.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "quantization/quantize_model.hpp"
#include "quantization/report_chart.hpp"
#include "quantization/weights_only.hpp"
#include "utils/parallel.hpp"
#include "utils/thread_pool.hpp"

namespace kuiper_infer::cli {
namespace {

namespace fs = std::filesystem;
namespace q = quantization;

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

struct QuantizeOptions {
  std::string param;
  std::string bin;
  std::string output;
  std::string pictures;
  std::string arrays;
  std::size_t most_samples = 0;
  bool cast = false;
  ImageOptions images;
  std::string weights_only;
  int group = 0;
  std::string observer = "mse";
  double percentile = 99.99;
  double keep = kNotGiven;
  std::vector<int64_t> axis;
  double decibels = kNotGiven;
  std::string gate;
  double at_least = kNotGiven;
  bool untimed = false;
  int threads = 0;
  std::vector<std::string> plugins;

  std::string OutputFile(const char* ending) const { return output + ending; }
};

/// What is wrong with the options taken together; empty where nothing is.
std::string UsageFault(const QuantizeOptions& options) {
  const bool samples = !options.pictures.empty() || !options.arrays.empty();
  if (!samples && options.weights_only.empty()) return "one of --images, --inputs and --weights-only is required";
  if (options.group != 0 && options.weights_only.empty()) return "--group goes with --weights-only";
  if (options.gate.empty() != std::isnan(options.at_least)) return "--gate and --at-least go together";
  const bool gated = !std::isnan(options.keep) || !std::isnan(options.decibels) || !options.gate.empty();
  if (gated && !samples) return "gates need samples, expected --images or --inputs";
  return "";
}

/// Throws where a file would replace one of the float model, or the folder to write to is none.
void CheckOutput(const QuantizeOptions& options) {
  for (const char* ending : {".pnnx.param", ".pnnx.bin"}) {
    for (const std::string& input : {options.param, options.bin}) {
      std::error_code ignored;
      if (fs::equivalent(options.OutputFile(ending), input, ignored)) {
        throw Error(ErrorCode::kFile,
                    options.OutputFile(ending) + ": is a file of the float model, expected --output with another name");
      }
    }
  }
  const fs::path folder = fs::absolute(options.output).parent_path();
  if (!fs::is_directory(folder) || access(folder.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::kFile, folder.string() + ": is no folder that can be written to");
  }
}

void WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error(ErrorCode::kFile, path + ": cannot be written");
}

void WriteResult(const QuantizeOptions& options, const q::QuantizedModel& model) {
  if (model.graph->save(options.OutputFile(".pnnx.param"), options.OutputFile(".pnnx.bin")) != 0) {
    throw Error(ErrorCode::kFile, model.graph->error());
  }
  WriteText(options.OutputFile(".quantize.csv"), q::ReportCsv(model.report));
  WriteText(options.OutputFile(".svg"), q::DrawReport(model.report, fs::path(options.output).filename().string()));
  std::cout << q::ReportText(model.report) << "Written: " << options.OutputFile(".pnnx.param") << ", .pnnx.bin, "
            << ".quantize.csv, .svg\n";
}

q::Settings SettingsOf(const QuantizeOptions& options, const q::FloatModel& model, const q::Samples& samples,
                       const q::Progress& progress) {
  q::Settings settings;
  settings.timed = !options.untimed;
  settings.observer = {q::ObserverOf(options.observer), options.percentile};
  if (!options.axis.empty()) settings.answer_axis = static_cast<int>(options.axis.front());
  if (!std::isnan(options.keep)) {
    settings.gate = q::KeepGate(model, samples, options.keep, settings.answer_axis, progress);
  } else if (!std::isnan(options.decibels)) {
    settings.gate = q::DecibelGate(model, samples, options.decibels, progress);
  } else if (!options.gate.empty()) {
    settings.gate = ProgramGate(options.gate, options.at_least, options.output + ".trial");
  }
  return settings;
}

int Quantize(const QuantizeOptions& options) {
  LoadPlugins(options.plugins);
  CheckOutput(options);
  q::FloatModel model{options.param, options.bin, {}};
  model.build.num_threads = options.threads;
  if (!options.weights_only.empty()) {
    const ThreadScope threads(options.threads);
    WriteResult(options, q::StoreWeights(model, {options.weights_only == "int4" ? 4 : 8, options.group}));
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

void AddSampleOptions(const Command& command, QuantizeOptions& options) {
  const Option pictures = command.Add("--images", options.pictures, "A folder of PNG and JPEG files: the samples");
  const Option arrays = command.Add("--inputs", options.arrays,
                                    "A folder of .npy files: the samples. A model with several inputs has a subfolder "
                                    "for each, of its name, with files of the same names");
  const Option weights = command
                             .Add("--weights-only", options.weights_only,
                                  "Only the weights of linear layers and embeddings, without samples: int8 or int4")
                             .OneOf({"int8", "int4"});
  pictures.Excludes(arrays);
  weights.Excludes(pictures);
  weights.Excludes(arrays);
  command.Add("--group", options.group, "With --weights-only: numbers of a row that share a scale: 32, 64 or 128")
      .OneOf({"32", "64", "128"});
  command.Add("--samples", options.most_samples, "At most so many samples, evenly spread; 0: all").ShowsDefault();
  command.AddFlag("--cast", options.cast, "Convert .npy files to the element types that the model wants");
  options.images.AddPreparationTo(command);
}

void AddGateOptions(const Command& command, QuantizeOptions& options) {
  const Option keep = command
                          .Add("--keep", options.keep,
                               "Gate: the share of top answers, largest elements along --axis, that stay the same")
                          .InRange(0.0, 1.0);
  const Option decibels =
      command.Add("--sqnr", options.decibels, "Gate: the outputs' signal-to-noise ratio in dB").InRange(-200.0, 200.0);
  const Option program = command.Add("--gate", options.gate,
                                     "Gate: a program that is called with the .param and the .bin file of a "
                                     "quantised model and prints a number, to be at least --at-least");
  command.Add("--at-least", options.at_least, "What the program of --gate has to print");
  command.AddFlag("--no-timing", options.untimed,
                  "Quantise layers that are not faster on this CPU, too: for another one");
  keep.Excludes(decibels);
  keep.Excludes(program);
  decibels.Excludes(program);
  command
      .Add("--axis", options.axis,
           "The axis of the first output along which --keep looks for answers; default: the last of several elements")
      .Values(1, 1);
  command.Add("--observer", options.observer, "How the range of an array follows from the samples")
      .OneOf(q::ObserverNames())
      .ShowsDefault();
  command.Add("--percentile", options.percentile, "Of the observer percentile: what lies inside of each end")
      .InRange(50.0, 100.0)
      .ShowsDefault();
}

}  // namespace

void AddQuantizeCommand(CLI::App& app, Action& action) {
  const Command command(app, "quantize", "Write a model with weights, and arrays, in integers");
  auto options = std::make_shared<QuantizeOptions>();
  command.Add("--param,param", options->param, "The float model's .pnnx.param file").Required();
  command.Add("--bin,bin", options->bin, "The float model's .pnnx.bin file").Required();
  command
      .Add("--output", options->output,
           "NAME of what is written: NAME.pnnx.param, NAME.pnnx.bin, and the report NAME.quantize.csv and NAME.svg")
      .Required();
  AddSampleOptions(command, *options);
  AddGateOptions(command, *options);
  AddPluginOption(command, options->plugins);
  command.Add("--threads", options->threads, "Number of threads; 0: OMP_NUM_THREADS, or one for each core")
      .InRange(0, kMostThreads);
  command.SetFooter(
      "Examples:\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --images pictures --image-fit crop --mean 0.485 0.456 "
      "0.406 --std 0.229 0.224 0.225 --output m_int8 --keep 0.99\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --inputs samples --output m_int8 --sqnr 25\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --inputs samples --output m_int8 --gate ./accuracy "
      "--at-least 0.91\n"
      "  kuiper quantize --param m.pnnx.param --bin m.pnnx.bin --weights-only int4 --group 32 --output m_int4");
  command.SetUsageCheck([options] { return UsageFault(*options); });
  command.SetAction(action, [options] { return Quantize(*options); });
}

}  // namespace kuiper_infer::cli

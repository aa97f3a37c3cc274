// SPDX-License-Identifier: MIT
#include "cli/quantize_options.hpp"

#include <cmath>

#include "cli/build_option_flags.hpp"
#include "cli/plugin.hpp"
#include "quantization/observer.hpp"

namespace kuiper_infer::cli {
namespace {

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
  command.AddFlag("--asymmetric", options.asymmetric,
                  "With --weights-only int4: groups have a minimum beside their scale, which suits weights whose range "
                  "does not lie around zero");
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
  command.Add("--gate-timeout", options.gate_seconds, "Seconds that the program of --gate may take for a model")
      .InRange(0.001, 1e9)
      .ShowsDefault();
  command.AddFlag("--no-timing", options.untimed,
                  "Quantise layers that are not faster on this CPU, too: for another one");
  keep.Excludes(decibels);
  keep.Excludes(program);
  decibels.Excludes(program);
  command
      .Add("--axis", options.axis,
           "The axis of the first output along which --keep looks for answers; default: the last of several elements")
      .Values(1, 1);
  command
      .Add("--pairs", options.pairs,
           "Weights whose neighbours add up to at most 128 (narrow), which CPUs with AVX2 and no VNNI multiply "
           "faster, or any; auto: narrow on such a CPU, unless --no-timing is given")
      .OneOf({"auto", "any", "narrow"})
      .ShowsDefault();
  command.Add("--observer", options.observer, "How the range of an array follows from the samples")
      .OneOf(quantization::ObserverNames())
      .ShowsDefault();
  command.Add("--percentile", options.percentile, "Of the observer percentile: what lies inside of each end")
      .InRange(50.0, 100.0)
      .ShowsDefault();
}

}  // namespace

void QuantizeOptions::AddTo(const Command& command) {
  command.Add("--param,param", param, "The float model's .pnnx.param file").Required();
  command.Add("--bin,bin", bin, "The float model's .pnnx.bin file").Required();
  command
      .Add("--output", output,
           "NAME of what is written: NAME.pnnx.param, NAME.pnnx.bin, and the report NAME.quantize.csv and NAME.svg")
      .Required();
  AddSampleOptions(command, *this);
  AddGateOptions(command, *this);
  AddPluginOption(command, plugins);
  AddBuildOption(command, "num_threads", build);
}

std::string QuantizeOptions::UsageFault() const {
  const bool samples = !pictures.empty() || !arrays.empty();
  if (!samples && weights_only.empty()) return "one of --images, --inputs and --weights-only is required";
  if (group != 0 && weights_only.empty()) return "--group goes with --weights-only";
  if (asymmetric && weights_only.empty()) return "--asymmetric goes with --weights-only";
  if (gate.empty() != std::isnan(at_least)) return "--gate and --at-least go together";
  if (pairs != "auto" && !samples) return "--pairs needs samples, expected --images or --inputs";
  const bool gated = !std::isnan(keep) || !std::isnan(decibels) || !gate.empty();
  if (gated && !samples) return "gates need samples, expected --images or --inputs";
  return "";
}

}  // namespace kuiper_infer::cli

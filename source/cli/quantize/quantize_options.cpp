// SPDX-License-Identifier: MIT
#include "cli/quantize/quantize_options.hpp"

#include <cmath>

#include "cli/build_option_flags.hpp"
#include "cli/plugin.hpp"
#include "quantization/observation/observer.hpp"

namespace kuiper_infer::cli {
namespace {

void AddSampleOptions(const Command& command, QuantizeOptions& options) {
  const Option pictures =
      command.Add("--images", options.pictures, "A folder of PNG and JPEG files, which are the samples");
  const Option arrays =
      command.Add("--inputs", options.arrays,
                  "A folder of .npy files, which are the samples. For a model with several inputs, it "
                  "has a subfolder for each input, named after it; files of the same name in all "
                  "subfolders are one sample");
  const Option weights = command
                             .Add("--weights-only", options.weights_only,
                                  "Quantise only the weights of linear layers and embeddings; this needs no samples")
                             .OneOf({"int8", "int4"});
  pictures.Excludes(arrays);
  weights.Excludes(pictures);
  weights.Excludes(arrays);
  command.Add("--group", options.group, "With --weights-only: how many neighbours in a row of a weight share a scale")
      .OneOf({"32", "64", "128"});
  command.AddFlag("--asymmetric", options.asymmetric,
                  "With --weights-only: store a minimum beside the scale of each group, which suits weights whose "
                  "range is not centred on zero");
  command
      .Add("--samples", options.most_samples,
           "Use at most this number of samples, evenly spread over the folder; 0 uses all")
      .ShowsDefault();
  command.AddFlag("--cast", options.cast, "Convert .npy files to the element types that the model expects");
  options.images.AddPreparationTo(command);
}

void AddGateOptions(const Command& command, QuantizeOptions& options) {
  const Option keep = command
                          .Add("--keep", options.keep,
                               "Gate: the least share of answers (largest elements along --axis) that stay the same")
                          .InRange(0.0, 1.0);
  const Option decibels =
      command
          .Add("--sqnr", options.decibels, "Gate: the least signal-to-quantisation-noise ratio of the outputs, in dB")
          .InRange(-200.0, 200.0);
  const Option program = command.Add("--gate", options.gate,
                                     "Gate: a program that is called with the .param and the .bin file of a "
                                     "quantised model and prints a number, which must be at least --at-least");
  command.Add("--at-least", options.at_least, "The least number that the program of --gate must print");
  command.Add("--gate-timeout", options.gate_seconds, "Seconds that the program of --gate may take for each model")
      .InRange(0.001, 1e9)
      .ShowsDefault();
  command.AddFlag("--no-timing", options.untimed,
                  "Also quantise layers that integers do not make faster on this CPU: the model is for another CPU");
  keep.Excludes(decibels);
  keep.Excludes(program);
  decibels.Excludes(program);
  command
      .Add("--axis", options.axis,
           "The axis of the first output along which --keep looks for answers; default: the last one with several "
           "elements")
      .Values(1, 1);
  command
      .Add("--pairs", options.pairs,
           "narrow: neighbouring weights add up to at most 128, which makes products faster on CPUs with AVX2 but "
           "without VNNI; any: no limit; auto: narrow on those CPUs, unless --no-timing is given")
      .OneOf({"auto", "any", "narrow"})
      .ShowsDefault();
  command.Add("--observer", options.observer, "How the range of an array is chosen from the samples")
      .OneOf(quantization::ObserverNames())
      .ShowsDefault();
  command
      .Add("--percentile", options.percentile,
           "With --observer percentile: the percentage of elements that lie inside each end of the range")
      .InRange(50.0, 100.0)
      .ShowsDefault();
}

}  // namespace

void QuantizeOptions::AddTo(const Command& command) {
  command.Add("--param,param", param, "The float model's .pnnx.param file").Required();
  command.Add("--bin,bin", bin, "The float model's .pnnx.bin file").Required();
  command
      .Add("--output", output,
           "NAME of the files to write: NAME.pnnx.param, NAME.pnnx.bin, and the report NAME.quantize.csv and NAME.svg")
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

// SPDX-License-Identifier: MIT
#include "quantization/quantize_model.hpp"

#include <cmath>
#include <sstream>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/observation/observation.hpp"
#include "quantization/search/layer_choice.hpp"
#include "quantization/search/layer_errors.hpp"
#include "quantization/search/layer_search.hpp"

namespace kuiper_infer::quantization {
namespace {

constexpr std::size_t kSamplesOfErrors = 32;

template <class... Pieces>
std::string Joined(const Pieces&... pieces) {
  std::ostringstream text;
  text.precision(4);
  (text << ... << pieces);
  return text.str();
}

/// Throws if the float model does not pass the gate.
void CheckGate(const FloatModel& model, const Gate& gate) {
  const double measured = gate.measure(model.Load());
  if (gate.Holds(measured)) return;
  throw Error(ErrorCode::kArgument, Joined("the gate cannot hold: ", gate.name, " is ", measured,
                                           " for the float model itself, expected at least ", gate.at_least));
}

/// Keeps in float the layers whose input holds nothing but zeros in the samples.
void KeepSilentLayers(const pnnx::Graph& source, const Calibration& calibration, LayerSets& layers) {
  for (bool changed = true;
       changed;) {  // if a layer stays in float, its input may have shared a grid with another layer's
    changed = false;
    const GridPlan plan = PlanGrids(source, layers.rounded);
    for (const auto& [layer, grid] : plan.grid_of) {
      if (HasRange(plan.grids[grid], calibration)) continue;
      layers.Keep(layer, "its input holds nothing but zeros in the samples");
      changed = true;
    }
  }
  if (!layers.rounded.empty()) return;
  throw Error(ErrorCode::kInput,
              "the inputs of all layers hold only zeros in the samples, or are empty; expected other numbers");
}

std::string AgreementRemark(const OutputAgreement& agreement, std::size_t samples) {
  if (!agreement.decibels) {
    return Joined("Over ", samples, samples == 1 ? " sample" : " samples",
                  ", the outputs hold nothing but zeros: how exact the model is remains unknown.");
  }
  std::string text = Joined("Over ", samples, samples == 1 ? " sample" : " samples", ", the outputs have an SQNR of ",
                            *agreement.decibels, " dB");
  if (agreement.kept)
    text += Joined(", and a share of ", *agreement.kept, " of the ", agreement.answers, " stays the same");
  return text + ".";
}

std::vector<LayerRow> RowsOf(const std::vector<LayerChoice>& all, const LayerSets& layers,
                             const std::map<std::string, LayerError>& errors, const Times& times) {
  std::vector<LayerRow> rows;
  for (const LayerChoice& layer : all) {
    LayerRow row;
    row.name = layer.name;
    row.type = layer.type;
    row.form = layers.rounded.count(layer.name) != 0 ? "int8" : "float";
    if (const auto reason = layers.kept.find(layer.name); reason != layers.kept.end()) row.reason = reason->second;
    if (const auto error = errors.find(layer.name); error != errors.end()) row.decibels = error->second.decibels;
    if (const auto time = times.layers.find(layer.name); time != times.layers.end()) {
      row.before_ms = time->second.before;
      row.after_ms = time->second.after;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

QuantizedModel QuantizeModel(const FloatModel& model, const Samples& samples, const Settings& settings,
                             const Progress& progress) {
  std::unique_ptr<pnnx::Graph> source = model.Load();
  const std::vector<LayerChoice> all = ListLayers(*source);
  LayerSets layers;
  for (const LayerChoice& layer : all) {
    layer.kept.empty() ? void(layers.rounded.insert(layer.name)) : layers.Keep(layer.name, layer.kept);
  }
  if (layers.rounded.empty()) {
    const std::string example = all.empty() ? "" : "; layer '" + all[0].name + "': " + all[0].kept;
    throw Error(ErrorCode::kArgument,
                model.param +
                    ": has no convolution or linear layer with float32 weights, and no attention, that could "
                    "be quantised" +
                    example);
  }
  if (settings.gate) CheckGate(model, *settings.gate);
  const std::vector<std::string> operands = OperandsToObserve(*source, layers.rounded);
  Calibration calibration{Observe(model, operands, samples, progress), settings.observer, {}, settings.rounding};
  KeepSilentLayers(*source, calibration, layers);
  source.reset();
  const std::map<std::string, LayerError> errors =
      LayerErrors(model, layers.rounded, calibration, SomeOf(samples, kSamplesOfErrors), progress);
  for (const auto& [layer, error] : errors) {
    if (!error.mean_shift.empty()) calibration.bias_shifts[layer] = error.mean_shift;
  }
  const SearchContext context{model, samples, calibration, progress};

  QuantizedModel result;
  result.report.decibels_of = "output";
  if (settings.rounding == WeightRounding::kNarrowPairs) {
    result.report.remarks.emplace_back(
        "Weights are rounded to narrow pairs, which CPUs with AVX2 and no VNNI multiply faster.");
  }
  if (settings.timed && !KeepSlowLayers(context, layers)) {
    result.report.remarks.emplace_back("This CPU computes no layer in integers, so that times keep none in float.");
  }
  if (settings.gate) {
    const double measured = KeepWorstLayers(context, *settings.gate, errors, layers);
    result.report.remarks.push_back(Joined("The gate holds: ", settings.gate->name, " is ", measured,
                                           ", expected at least ", settings.gate->at_least, "."));
  }
  RuntimeGraph float_graph = model.Build(model.Load());
  Candidate candidate = context.Make(layers.rounded);
  RuntimeGraph candidate_graph = model.Build(std::move(candidate.graph));
  const Times times = CompareTimes(float_graph, candidate, candidate_graph, samples);
  const OutputAgreement agreement =
      CompareOutputs(float_graph, candidate_graph, samples, settings.answer_axis, progress);
  result.report.layers = RowsOf(all, layers, errors, times);
  result.report.remarks.push_back(AgreementRemark(agreement, samples.count));
  result.report.remarks.push_back(
      Joined(layers.rounded.size(), " of ", all.size(), " layers are in int8. All steps take ", times.before,
             " ms in the float model and ", times.after, " ms in the quantised one, on the first sample."));
  result.graph = context.Make(layers.rounded).graph;
  return result;
}

}  // namespace kuiper_infer::quantization

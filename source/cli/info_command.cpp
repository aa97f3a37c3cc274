// SPDX-License-Identifier: MIT
#include <iostream>
#include <map>
#include <memory>

#include "cli/build_option_flags.hpp"
#include "cli/commands.hpp"
#include "cli/info_json.hpp"
#include "cli/model_session.hpp"
#include "cli/plugin.hpp"
#include "cli/terminal/human_numbers.hpp"
#include "kuiper_infer/model.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "runtime/precision.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

void PrintOperators(const RuntimeGraph& graph) {
  std::map<std::string, int> counts;
  for (const auto& op : graph.operators()) ++counts[op->type];
  std::cout << "operators: " << graph.operators().size() << "\n";
  for (const auto& [type, count] : counts) std::cout << "  " << count << " " << type << "\n";
}

void PrintInputs(const RuntimeGraph& graph) {
  for (const std::string& name : graph.input_names()) {
    std::cout << "input " << name << " " << SpecString(graph.input_spec(name)) << "\n";
  }
}

void PrintOutputs(const RuntimeGraph& graph) {
  for (const std::string& name : graph.output_names()) {
    const Model::Output output{name, graph.output_specs(name)};
    const std::vector<std::string> names = output.array_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool known = output.specs[i].type != RuntimeDataType::kTypeUnknown;
      std::cout << "output " << names[i] << (known ? " " + SpecString(output.specs[i]) : "") << "\n";
    }
  }
}

/// Plans the graph for inputs of other shapes than the recorded ones.
void PlanFor(RuntimeGraph& graph, const std::map<std::string, Shape>& shapes) {
  for (const std::string& name : graph.input_names()) {
    const TensorSpec recorded = graph.input_spec(name);
    const auto given = shapes.find(name);
    const Shape& shape = given == shapes.end() ? recorded.shape : given->second;
    CheckIsGiven(name, shape);
    if (recorded.rank() != 0 && shape.size() != recorded.shape.size()) {
      throw Error(ErrorCode::kInput, "input '" + name + "' is given the shape " + ShapeString(shape) + ", expected " +
                                         std::to_string(recorded.rank()) + " extents as in " +
                                         ShapeString(recorded.shape));
    }
  }
  graph.InferShapes(shapes);
}

struct InfoOptions {
  std::string param;
  std::string bin;
  std::vector<std::string> shapes;
  std::vector<std::string> plugins;
  BuildOptions build;
  bool json = false;
};

void PrintStates(const RuntimeGraph& graph) {
  for (const RuntimeGraph::State& state : graph.states()) {
    std::cout << "state " << state.input << " " << SpecString(state.spec) << " continues " << state.output
              << (state.axis < 0 ? ", replaced in each run" : ", grows along axis " + std::to_string(state.axis))
              << (state.kept != state.spec.type ? std::string(", kept as ") + TypeName(state.kept) : "")
              << (state.window > 0 ? ", keeps the last " + std::to_string(state.window) : "") << "\n";
  }
}

/// Names the pairs that look like states. A model of hundreds of them has one line.
void PrintProposals(const RuntimeGraph& graph) {
  const std::vector<RuntimeGraph::State> proposed = graph.proposed_states();
  if (proposed.empty()) return;
  const RuntimeGraph::State& first = proposed.front();
  std::cout << "note: output " << first.output << " is input " << first.input << " with new elements along axis "
            << first.axis;
  if (proposed.size() > 1) std::cout << ", and " << proposed.size() - 1 << " more are alike";
  std::cout << ": they may be states (docs/state.md)\n";
}

void PrintGraph(const RuntimeGraph& graph) {
  PrintInputs(graph);
  PrintOutputs(graph);
  PrintStates(graph);
  PrintOperators(graph);
}

int Info(const InfoOptions& options) {
  LoadPlugins(options.plugins);
  CheckCacheFolder(options.build.cache_directory);
  RuntimeGraph graph = OpenModel(options.param, options.bin);
  graph.set_build_options(options.build);
  try {
    graph.Build();  // names all unsupported operators at once
  } catch (...) {
    if (!options.json && graph.graph_state() != GraphState::NeedInit) PrintGraph(graph);
    throw;
  }
  if (options.json) {
    if (!options.shapes.empty()) PlanFor(graph, ParseShapes(options.shapes, graph.input_names()));
    std::cout << InfoJson(graph) << "\n";
    return 0;
  }
  PrintGraph(graph);
  PrintProposals(graph);
  if (!options.shapes.empty()) {
    PlanFor(graph, ParseShapes(options.shapes, graph.input_names()));
    std::cout << "for the shapes given:\n";
    PrintInputs(graph);
    PrintOutputs(graph);
  }
  const RuntimeGraph::Report report = graph.report();
  std::cout << "parameters: " << CountText(static_cast<double>(report.parameters)) << ", "
            << BytesText(report.weight_bytes) << " in memory\n"
            << "precision: " << PrecisionName(options.build.precision) << " (" << IsaName()
            << ", matrix unit: " << MatrixUnitName() << ")\n";
  if (report.planned) {
    std::cout << "multiply-adds: " << CountText(report.multiply_adds) << "\n"
              << "planned memory: " << BytesText(report.planned_bytes) << " (largest live set "
              << BytesText(report.largest_live_bytes) << ")\n";
  } else {
    std::cout << "planned memory: depends on the input shapes\n";
  }
  for (const std::string& warning : report.warnings) std::cout << "warning: " << warning << "\n";
  return 0;
}

}  // namespace

void AddInfoCommand(CLI::App& app, Action& action) {
  const Command command(app, "info", "Describe a model and name every operator that is not supported");
  auto options = std::make_shared<InfoOptions>();
  command.Add("param", options->param, "The model's .pnnx.param file").Required();
  command.Add("bin", options->bin, "The model's .pnnx.bin file; without it, all weights are zero");
  command.Add("--shape", options->shapes, "Also plan for this shape of an input, for example NAME=1,3,224,224");
  command.AddFlag("--json", options->json, "Print one object of JSON in one line");
  AddPluginOption(command, options->plugins);
  AddBuildOptions(command, options->build);
  command.SetFooter(
      "Examples:\n"
      "  kuiper info m.pnnx.param\n"
      "  kuiper info m.pnnx.param m.pnnx.bin\n"
      "  kuiper info m.pnnx.param --shape pnnx_input_0=8,3,320,320");
  command.SetAction(action, [options] { return Info(*options); });
}

}  // namespace kuiper_infer::cli

// SPDX-License-Identifier: MIT
#include "cli/info_json.hpp"

#include <nlohmann/json.hpp>

#include "kuiper_infer/model.hpp"

namespace kuiper_infer::cli {
namespace {

using nlohmann::json;

json ArrayOf(const std::string& name, const TensorSpec& spec) {
  json array = {{"name", name}, {"type", nullptr}, {"shape", nullptr}};
  if (spec.type == RuntimeDataType::kTypeUnknown) return array;
  array["type"] = TypeName(spec.type);
  array["shape"] = spec.shape;
  return array;
}

json StateOf(const RuntimeGraph::State& state) {
  json description = ArrayOf(state.input, state.spec);
  description["output"] = state.output;
  description["axis"] = state.axis < 0 ? json(nullptr) : json(state.axis);
  description["kept"] = TypeName(state.kept);
  description["window"] = state.window > 0 ? json(state.window) : json(nullptr);
  return description;
}

}  // namespace

std::string InfoJson(const RuntimeGraph& graph) {
  json info = {
      {"inputs", json::array()}, {"outputs", json::array()}, {"states", json::array()}, {"operators", json::object()}};
  for (const std::string& name : graph.input_names()) info["inputs"].push_back(ArrayOf(name, graph.input_spec(name)));
  for (const std::string& name : graph.output_names()) {
    const Model::Output output{name, graph.output_specs(name)};
    const std::vector<std::string> names = output.array_names();
    for (std::size_t i = 0; i < names.size(); ++i) info["outputs"].push_back(ArrayOf(names[i], output.specs[i]));
  }
  for (const RuntimeGraph::State& state : graph.states()) info["states"].push_back(StateOf(state));
  for (const auto& op : graph.operators()) info["operators"][op->type] = info["operators"].value(op->type, 0) + 1;
  const RuntimeGraph::Report report = graph.report();
  info["parameters"] = report.parameters;
  info["weight_bytes"] = report.weight_bytes;
  info["planned_bytes"] = report.planned ? json(report.planned_bytes) : json(nullptr);
  info["warnings"] = report.warnings;
  return info.dump(-1, ' ', false, json::error_handler_t::replace);  // names may be any bytes
}

}  // namespace kuiper_infer::cli

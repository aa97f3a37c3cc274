// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/report/descriptions.hpp"
#include "data/byte_source.hpp"
#include "data/param_text.hpp"
#include "operation/classic_parameters.hpp"
#include "quantization/report/report_csv.hpp"

namespace kuiper_infer::cli {
namespace {

using quantization::LayerRow;

/// The rows of the table that `kuiper quantize` writes beside the model, by layer; empty if there is no table.
std::map<std::string, LayerRow> TableBeside(const std::string& param) {
  const std::string ending = ".pnnx.param";
  if (param.size() < ending.size() || param.compare(param.size() - ending.size(), ending.size(), ending) != 0)
    return {};
  const std::string path = param.substr(0, param.size() - ending.size()) + ".quantize.csv";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(std::filesystem::u8path(path), ignored)) return {};
  constexpr uint64_t kMostBytes = 64 << 20;
  std::map<std::string, LayerRow> rows;
  for (LayerRow& row : quantization::ReadReportCsv(ByteSource::OpenFile(path)->Text(kMostBytes), path)) {
    const std::string name = row.name;
    rows.emplace(name, std::move(row));
  }
  return rows;
}

int64_t BytesOf(const RuntimeAttribute& attribute) {
  return ByteCount(attribute.type, Shape(attribute.shape.begin(), attribute.shape.end()));
}

/// The attribute of the name, or null.
const RuntimeAttribute* Find(const RuntimeOperator& op, const std::string& name) {
  const auto found = op.attribute.find(name);
  return found == op.attribute.end() ? nullptr : found->second.get();
}

/// The stored form of a weight, with its scales and zero points.
struct WeightForm {
  std::string form = "float";
  int64_t group = 0;  ///< numbers that share a scale; 0: all of a row
  int64_t bytes = 0;
};

WeightForm FormOf(const RuntimeOperator& op, const std::string& name, const RuntimeAttribute& weight) {
  WeightForm form;
  form.bytes = BytesOf(weight);
  for (const char* companion : {".q_per_channel_scales", ".q_per_channel_zero_points", ".q_group_scales"}) {
    const RuntimeAttribute* const beside = Find(op, name + companion);
    if (beside != nullptr) form.bytes += BytesOf(*beside);
  }
  const bool four_bits = weight.type == RuntimeDataType::kTypeUInt8;
  const RuntimeAttribute* const groups = Find(op, name + ".q_group_scales");
  if (groups != nullptr || Find(op, name + ".q_per_channel_scales") != nullptr) form.form = four_bits ? "int4" : "int8";
  if (groups != nullptr && groups->shape.size() == 2 && groups->shape[1] > 1) {
    const Shape shape(weight.shape.begin(), weight.shape.end());
    const int64_t numbers = ElementCount(shape) * (four_bits ? 2 : 1);
    form.group = numbers / std::max<int64_t>(1, static_cast<int64_t>(groups->shape[0]) * groups->shape[1]);
  }
  return form;
}

/// The row of a layer or, if the table has a row for each weight, of the layer's weight ("layer.weight"). Null if there
/// is none.
const LayerRow* RowOf(const std::map<std::string, LayerRow>& table, const std::string& layer) {
  const auto row = table.find(layer);
  if (row != table.end()) return &row->second;
  const auto part = table.lower_bound(layer + ".");
  return part != table.end() && part->first.rfind(layer + ".", 0) == 0 ? &part->second : nullptr;
}

nlohmann::json OrNull(const std::optional<double>& number) { return number ? nlohmann::json(*number) : nullptr; }

/// The layer's weights of two axes or more.
nlohmann::json DescribeLayer(const RuntimeOperator& op) {
  nlohmann::json layer;
  for (const auto& [name, attribute] : op.attribute) {
    if (name.find(".q_") != std::string::npos || attribute->shape.size() < 2) continue;
    const WeightForm form = FormOf(op, name, *attribute);
    if (layer.is_null()) {
      layer = {{"name", op.name}, {"type", op.type}, {"form", form.form}, {"group", form.group}, {"bytes", 0}};
    }
    // If a layer has several weights, the one in integers gives the form.
    if (form.form != "float") {
      layer["form"] = form.form;
      layer["group"] = form.group;
    }
    layer["bytes"] = layer["bytes"].get<int64_t>() + form.bytes;
  }
  return layer;
}

/// The grid of the rounding that produces the layer's first input; null if no rounding does.
nlohmann::json GridOf(const RuntimeOperator& op,
                      const std::map<const RuntimeOperand*, const RuntimeOperator*>& producers) {
  if (op.input_operands_seq.empty()) return nullptr;
  const auto producer = producers.find(op.input_operands_seq.front().get());
  if (producer == producers.end() || producer->second->type != "nn.quantized.Quantize") return nullptr;
  const std::map<std::string, Value> parameters = ParameterValues(*producer->second);
  const auto text = [&](const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? "" : ParamText(found->second);
  };
  return {{"scale", text("scale")}, {"zero_point", text("zero_point")}};
}

}  // namespace

nlohmann::json DescribeLayers(const RuntimeGraph& graph, const Steps& steps, const std::string& param) {
  std::map<const RuntimeOperand*, const RuntimeOperator*> producers;
  nlohmann::json layers = nlohmann::json::array();
  bool quantised = false;
  std::map<std::string, double> seconds;
  for (const auto& step : steps) seconds[step.name] += step.seconds;
  for (const auto& op : graph.operators()) {
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = op.get();
    if (op->type == "pnnx.Attribute") continue;  // a constant array
    nlohmann::json layer = DescribeLayer(*op);
    if (layer.is_null()) continue;
    quantised = quantised || layer["form"] != "float";
    layer["grid"] = GridOf(*op, producers);
    layer["seconds"] = seconds.count(op->name) > 0 ? nlohmann::json(seconds[op->name]) : nullptr;
    layers.push_back(std::move(layer));
  }
  if (!quantised) return nullptr;
  const std::map<std::string, LayerRow> table = TableBeside(param);
  for (nlohmann::json& layer : layers) {
    const LayerRow* const row = RowOf(table, layer["name"].get<std::string>());
    if (row == nullptr) continue;
    layer["decibels"] = OrNull(row->decibels);
    layer["before_ms"] = OrNull(row->before_ms);
    layer["after_ms"] = OrNull(row->after_ms);
    layer["reason"] = row->reason;
  }
  return layers;
}

}  // namespace kuiper_infer::cli

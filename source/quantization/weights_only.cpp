// SPDX-License-Identifier: MIT
#include "quantization/weights_only.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/constant_weights.hpp"
#include "quantization/graph_edits.hpp"

namespace kuiper_infer::quantization {
namespace {

/// The weights of an operator that are matrices by which rows are multiplied, or from which rows are taken.
std::vector<std::string> MatricesOf(const pnnx::Operator& op) {
  static const std::map<std::string, std::vector<std::string>> kTypes = {
      {"nn.Linear", {"weight"}},
      {"nn.Embedding", {"weight"}},
      {"aten::embedding", {"weight"}},
      {"pnnx.Attribute", {"data"}},
      {"nn.MultiheadAttention", {"in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight"}}};
  std::vector<std::string> keys;
  const auto type = kTypes.find(op.type);
  if (type == kTypes.end() || (op.type == "pnnx.Attribute" && !IsConstantWeight(op))) return keys;
  for (const std::string& key : type->second) {
    const auto found = op.attrs.find(key);
    const bool matrix = found != op.attrs.end() && found->second.shape.size() == 2 && found->second.elemcount() > 0;
    if (matrix && found->second.type == static_cast<int>(RuntimeDataType::kTypeFloat32)) keys.push_back(key);
  }
  return keys;
}

/// Bytes of a weight, and of the parameters beside it.
int64_t BytesOf(const pnnx::Operator& op, const std::string& key) {
  std::set<std::string> attributes{key};
  for (const kernel::WeightFormat* format : kernel::StoredFormats()) {
    for (const kernel::FormatParameter& parameter : format->parameters) attributes.insert(key + parameter.ending);
  }
  int64_t bytes = 0;
  for (const std::string& attribute : attributes) {
    const auto found = op.attrs.find(attribute);
    if (found != op.attrs.end()) bytes += static_cast<int64_t>(found->second.data.size());
  }
  return bytes;
}

std::string NameOf(const WeightForm& form) {
  return (form.asymmetric ? "asymmetric int" : "int") + std::to_string(form.bits);
}

/// Returns the format of these integers for rows of `groups` groups.
const kernel::WeightFormat& FormatOf(const WeightForm& form, int64_t groups) {
  for (const kernel::WeightFormat* format : kernel::StoredFormats()) {
    const bool wanted = format->bits == form.bits && format->asymmetric == form.asymmetric;
    if (wanted && (format->by_group || groups == 1)) return *format;
  }
  throw Error(ErrorCode::kArgument, "no format stores weights as " + NameOf(form));
}

bool AllFinite(const pnnx::Attribute& weight) {
  const std::vector<float> values = weight.get_float32_data();
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

/// Stores one weight and tells what became of it.
LayerRow Store(pnnx::Operator& op, const std::string& key, const WeightForm& form) {
  LayerRow row;
  row.name = key == "weight" || key == "data" ? op.name : op.name + "." + key;
  row.type = op.type;
  row.form = "float";
  row.before_bytes = row.after_bytes = BytesOf(op, key);
  row.reason = ReaderInFloat(op);
  if (!row.reason.empty()) return row;
  const int64_t width = op.attrs.at(key).shape[1];
  if (!AllFinite(op.attrs.at(key))) {
    row.reason = "its weights are not all finite";
    return row;
  }
  if (form.bits == 4 && width % 2 != 0) {
    row.reason = "rows of " + std::to_string(width) + " numbers, not an even number";
    return row;
  }
  const bool grouped = form.group > 0 && width % form.group == 0;
  if (form.group > 0 && !grouped) {
    row.reason = "one group a row: " + std::to_string(form.group) + " doesn't divide " + std::to_string(width);
  }
  const int64_t groups = grouped ? width / form.group : 1;
  row.decibels = StoreInFormat(op, key, FormatOf(form, groups), groups);
  row.form = NameOf(form);
  row.after_bytes = BytesOf(op, key);
  return row;
}

}  // namespace

QuantizedModel StoreWeights(const FloatModel& model, const WeightForm& form) {
  FormatOf(form, form.group > 0 ? 2 : 1);  // throws before the model is read
  QuantizedModel result;
  result.graph = model.Load();
  result.report.decibels_of = "weight";
  int64_t before = 0;
  int64_t after = 0;
  for (pnnx::Operator* op : result.graph->ops) {
    for (const std::string& key : MatricesOf(*op)) {
      result.report.layers.push_back(Store(*op, key, form));
      before += *result.report.layers.back().before_bytes;
      after += *result.report.layers.back().after_bytes;
    }
  }
  if (result.report.layers.empty()) {
    throw Error(ErrorCode::kArgument, model.param + ": has no linear layer and no embedding with float32 weights");
  }
  result.report.remarks.push_back("These weights take " + std::to_string(after) + " bytes instead of " +
                                  std::to_string(before) + ".");
  return result;
}

}  // namespace kuiper_infer::quantization

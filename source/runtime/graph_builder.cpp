// SPDX-License-Identifier: MIT
#include "runtime/graph_builder.hpp"

#include <map>
#include <unordered_map>

#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/operator_errors.hpp"
#include "operation/weights/weight.hpp"
#include "runtime/graph_repair.hpp"
#include "runtime/pnnx/parameter_value.hpp"

namespace kuiper_infer {
namespace {

using OperandMap = std::unordered_map<const pnnx::Operand*, std::shared_ptr<RuntimeOperand>>;

std::shared_ptr<RuntimeOperand> TranslateOperand(const pnnx::Operator& op, const pnnx::Operand* operand,
                                                 OperandMap& operands) {
  if (operand == nullptr) {
    throw Error(ErrorCode::kGraph, "operator '" + op.name + "' (" + op.type + ") has a null operand");
  }
  std::shared_ptr<RuntimeOperand>& translated = operands[operand];
  if (translated == nullptr) {
    translated = std::make_shared<RuntimeOperand>();
    translated->name = operand->name;
    translated->type = static_cast<RuntimeDataType>(operand->type);
    translated->shapes.assign(operand->shape.begin(), operand->shape.end());
    translated->has_shape = operand->has_shape || !operand->shape.empty();
  }
  return translated;
}

/// The weights that have been made, by the bytes in the file.
using WeightMap = std::map<const StoredBytes*, std::shared_ptr<Weight>>;

std::shared_ptr<RuntimeAttribute> TranslateAttribute(pnnx::Attribute& attribute, WeightMap& weights) {
  auto translated = std::make_shared<RuntimeAttribute>();
  translated->type = static_cast<RuntimeDataType>(attribute.type);
  translated->shape = attribute.shape;
  translated->weight_data = std::move(attribute.data);
  if (attribute.stored != nullptr) {
    const Shape shape(attribute.shape.begin(), attribute.shape.end());
    std::shared_ptr<Weight>& weight = weights[attribute.stored.get()];
    if (weight == nullptr) weight = std::make_shared<Weight>(attribute.stored, TensorSpec(translated->type, shape));
    translated->weight = weight;
    attribute.stored.reset();
  }
  return translated;
}

}  // namespace

OperatorCall CallOf(const pnnx::Operator& op) {
  return NamingOperator(op.name, op.type, [&] {
    OperatorCall call;
    call.name = op.name;
    call.type = op.type;
    for (const auto& [key, parameter] : op.params) call.params.emplace(key, ValueOf(parameter));
    call.input_names = op.inputnames;
    call.input_count = static_cast<int>(op.inputs.size());
    call.output_count = static_cast<int>(op.outputs.size());
    return call;
  });
}

Operators TranslateGraph(pnnx::Graph& graph, std::vector<std::string>& warnings) {
  warnings = RepairGraph(graph);
  Operators operators;
  OperandMap operands;
  WeightMap weights;
  for (pnnx::Operator* op : graph.ops) {
    auto translated = std::make_shared<RuntimeOperator>();
    translated->name = op->name;
    translated->type = op->type;
    for (const pnnx::Operand* operand : op->inputs) {
      translated->input_operands_seq.push_back(TranslateOperand(*op, operand, operands));
    }
    for (const pnnx::Operand* operand : op->outputs) {
      translated->output_operands_seq.push_back(TranslateOperand(*op, operand, operands));
    }
    if (!translated->output_operands_seq.empty()) translated->output_operands = translated->output_operands_seq.front();
    translated->input_names = op->inputnames;
    translated->call = std::make_shared<const OperatorCall>(CallOf(*op));
    for (auto& [key, attribute] : op->attrs) translated->attribute[key] = TranslateAttribute(attribute, weights);
    operators.push_back(std::move(translated));
  }
  LinkOperators(operators);
  return operators;
}

std::string UnsupportedOperators(const Operators& operators) {
  const auto& registry = LayerRegisterer::Registry();
  std::map<std::string, std::vector<std::string>> unknown;
  for (const auto& op : operators) {
    if (op->type == "pnnx.Input" || op->type == "pnnx.Output" || registry.count(op->type) != 0) continue;
    unknown[op->type].push_back(op->name);
  }
  std::string text;
  for (const auto& [type, names] : unknown) {
    constexpr std::size_t kNamed = 5;
    text += (text.empty() ? "" : "; ") + type + " (";
    for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i == 0 ? "'" : ", '") + names[i] + "'";
    text += names.size() > kNamed ? ", ... " + std::to_string(names.size()) + " in all)" : ")";
  }
  return text;
}

}  // namespace kuiper_infer

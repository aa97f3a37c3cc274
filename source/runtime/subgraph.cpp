// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <unordered_set>

#include "data/param_text.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "operation/classic_parameters.hpp"
#include "runtime/graph_builder.hpp"

namespace kuiper_infer {
namespace {

/// Copies operands once each, so that the new operators share them as the old ones did.
class OperandCopies {
 public:
  std::shared_ptr<RuntimeOperand> operator()(const std::shared_ptr<RuntimeOperand>& operand) {
    std::shared_ptr<RuntimeOperand>& copy = copies_[operand.get()];
    if (copy == nullptr) {
      // The tensors are not copied, because a session that runs meanwhile may set them.
      copy = std::make_shared<RuntimeOperand>();
      copy->name = operand->name;
      copy->shapes = operand->shapes;
      copy->type = operand->type;
      copy->has_shape = operand->has_shape;
    }
    return copy;
  }

 private:
  std::unordered_map<const RuntimeOperand*, std::shared_ptr<RuntimeOperand>> copies_;
};

std::shared_ptr<RuntimeOperand> FindByName(const Operators& operators, const std::string& name) {
  for (const auto& op : operators) {
    for (const auto& operand : op->output_operands_seq) {
      if (operand->name == name) return operand;
    }
  }
  throw Error(ErrorCode::kInput, "the graph has no operand '" + name + "'");
}

std::shared_ptr<RuntimeOperator> Border(const std::string& type, int number,
                                        const std::shared_ptr<RuntimeOperand>& operand) {
  auto op = std::make_shared<RuntimeOperator>();
  op->type = type;
  op->name = (type == "pnnx.Input" ? "pnnx_input_" : "pnnx_output_") + std::to_string(number);
  if (type == "pnnx.Input") {
    op->output_operands = operand;
    op->output_operands_seq = {operand};
  } else {
    op->input_operands_seq = {operand};
  }
  return op;
}

}  // namespace

Operators CutSubgraph(const Operators& operators, const std::vector<std::string>& input_operands,
                      const std::vector<std::string>& output_operands) {
  std::unordered_map<const RuntimeOperand*, const RuntimeOperator*> producers;
  for (const auto& op : operators) {
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = op.get();
  }
  OperandCopies copy;
  Operators cut;
  std::unordered_set<const RuntimeOperand*> given;
  for (const std::string& name : input_operands) {
    const auto operand = FindByName(operators, name);
    if (!given.insert(operand.get()).second) throw Error(ErrorCode::kInput, "operand '" + name + "' is given twice");
    cut.push_back(Border("pnnx.Input", static_cast<int>(cut.size()), copy(operand)));
  }
  // Collects operators backwards from the outputs, up to given operands and operators without inputs.
  std::unordered_set<const RuntimeOperator*> needed;
  std::vector<const RuntimeOperand*> open;
  for (const std::string& name : output_operands) open.push_back(FindByName(operators, name).get());
  while (!open.empty()) {
    const RuntimeOperand* operand = open.back();
    open.pop_back();
    if (given.count(operand) != 0) continue;
    const RuntimeOperator* op = producers.at(operand);
    if (op->type == "pnnx.Input") {
      throw Error(ErrorCode::kGraph, "the outputs of the subgraph depend on the input '" + op->name + "' (operand '" +
                                         operand->name + "'), which is not among the operands given");
    }
    if (!needed.insert(op).second) continue;
    for (const auto& input : op->input_operands_seq) open.push_back(input.get());
  }
  for (const auto& op : operators) {
    if (needed.count(op.get()) == 0) continue;
    auto kept = std::make_shared<RuntimeOperator>();
    kept->name = op->name;
    kept->type = op->type;
    kept->params = op->params;
    kept->call = op->call;
    kept->shows_params = op->shows_params;
    kept->attribute = op->attribute;
    kept->input_names = op->input_names;
    for (const auto& operand : op->input_operands_seq) kept->input_operands_seq.push_back(copy(operand));
    for (const auto& operand : op->output_operands_seq) {
      // A given operand comes from its pnnx.Input; its former producer writes to a new operand that nothing reads.
      const bool replaced = given.count(operand.get()) != 0;
      kept->output_operands_seq.push_back(replaced ? OperandCopies()(operand) : copy(operand));
      if (replaced) kept->output_operands_seq.back()->name += "_unused";
    }
    if (!kept->output_operands_seq.empty()) kept->output_operands = kept->output_operands_seq.front();
    cut.push_back(std::move(kept));
  }
  for (std::size_t i = 0; i < output_operands.size(); ++i) {
    cut.push_back(Border("pnnx.Output", static_cast<int>(i), copy(FindByName(operators, output_operands[i]))));
  }
  LinkOperators(cut);
  return cut;
}

void DumpOperators(const Operators& operators, std::ostream& stream) {
  const auto write_operands = [&stream](const char* word,
                                        const std::vector<std::shared_ptr<RuntimeOperand>>& operands) {
    for (const auto& operand : operands) {
      stream << "    " << word << " " << operand->name;
      if (operand->has_shape) {
        stream << " " << TypeName(operand->type) << " "
               << ShapeString(Shape(operand->shapes.begin(), operand->shapes.end()));
      }
      stream << "\n";
    }
  };
  for (const auto& op : operators) {
    stream << op->type << " " << op->name << "\n";
    write_operands("in ", op->input_operands_seq);
    write_operands("out", op->output_operands_seq);
    for (const auto& [key, value] : ParameterValues(*op)) stream << "    " << key << "=" << ParamText(value) << "\n";
    for (const auto& [key, attribute] : op->attribute) {
      stream << "    @" << key << " " << TypeName(attribute->type) << " "
             << ShapeString(Shape(attribute->shape.begin(), attribute->shape.end())) << "\n";
    }
  }
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/runtime_op.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "runtime/classic_layer.hpp"

namespace kuiper_infer {

void RuntimeOperatorUtils::InitOperatorInput(const std::vector<std::shared_ptr<RuntimeOperator>>& operators) {
  for (const auto& op : operators) {
    if (op == nullptr) throw Error(ErrorCode::kGraph, "the list of operators holds a null");
    // Operators made in a program may have their inputs in one of the two lists only.
    std::vector<std::shared_ptr<RuntimeOperand>> operands = op->input_operands_seq;
    for (const auto& [producer, operand] : op->input_operands) operands.push_back(operand);
    for (const auto& operand : operands) {
      if (operand == nullptr) throw Error(ErrorCode::kGraph, "operator '" + op->name + "' has a null input operand");
      if (!operand->has_shape && !operand->shapes.empty()) operand->has_shape = true;
      if (operand->datas.empty()) AllocateOperandTensors(*operand);
    }
  }
}

void RuntimeOperatorUtils::InitOperatorOutput(const std::vector<pnnx::Operator*>& pnnx_operators,
                                              const std::vector<std::shared_ptr<RuntimeOperator>>& operators) {
  if (pnnx_operators.size() != operators.size()) {
    throw Error(ErrorCode::kGraph, std::to_string(pnnx_operators.size()) + " PNNX operators for " +
                                       std::to_string(operators.size()) + " runtime operators");
  }
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (pnnx_operators[i] == nullptr || operators[i] == nullptr) {
      throw Error(ErrorCode::kGraph, "the list of operators holds a null");
    }
    const auto& outputs = pnnx_operators[i]->outputs;
    auto& own = operators[i]->output_operands_seq;
    while (own.size() < outputs.size()) own.push_back(nullptr);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (own[k] == nullptr) own[k] = std::make_shared<RuntimeOperand>();
      own[k]->name = outputs[k]->name;
      own[k]->type = static_cast<RuntimeDataType>(outputs[k]->type);
      own[k]->shapes.assign(outputs[k]->shape.begin(), outputs[k]->shape.end());
      own[k]->has_shape = outputs[k]->has_shape || !outputs[k]->shape.empty();
      AllocateOperandTensors(*own[k]);
    }
    if (!own.empty()) operators[i]->output_operands = own.front();
  }
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "kuiper_infer/layer/abstract/layer.hpp"

#include "kuiper_infer/runtime/runtime_op.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

[[noreturn]] void FailNoParameters(const std::string& layer_name) {
  throw Error(ErrorCode::kState, "layer " + layer_name + " has no learned parameters");
}

}  // namespace

InferStatus Layer::Forward(const Tensors& /*inputs*/, Tensors& /*outputs*/) {
  Log(Severity::kError, "layer " + layer_name_ + " does not implement Forward(inputs, outputs)");
  return InferStatus::kInferUnknown;
}

InferStatus Layer::Forward() {
  const std::shared_ptr<RuntimeOperator> op = runtime_operator_.lock();
  if (op == nullptr || op->output_operands == nullptr) {
    Log(Severity::kError, "layer " + layer_name_ + " belongs to no operator with an output");
    return InferStatus::kInferFailedOutputEmpty;
  }
  Tensors inputs;
  for (const auto& operand : op->input_operands_seq) {
    inputs.insert(inputs.end(), operand->datas.begin(), operand->datas.end());
  }
  return Forward(inputs, op->output_operands->datas);
}

const Tensors& Layer::weights() const { FailNoParameters(layer_name_); }

const Tensors& Layer::bias() const { FailNoParameters(layer_name_); }

void Layer::set_weights(const Tensors& /*weights*/) { FailNoParameters(layer_name_); }

void Layer::set_bias(const Tensors& /*bias*/) { FailNoParameters(layer_name_); }

void Layer::set_weights(const std::vector<float>& /*weights*/) { FailNoParameters(layer_name_); }

void Layer::set_bias(const std::vector<float>& /*bias*/) { FailNoParameters(layer_name_); }

void Layer::set_runtime_operator(const std::shared_ptr<RuntimeOperator>& runtime_operator) {
  runtime_operator_ = runtime_operator;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "kuiper_infer/layer/details/rms_norm.hpp"

#include <cmath>

#include "kuiper_infer/utils/error.hpp"
#include "layer/tensor_checks.hpp"

namespace kuiper_infer {
namespace {

constexpr float kEpsilon = 1e-5F;

void Normalise(const Tensor<float>& input, const Tensor<float>& weight, Tensor<float>& output) {
  double squares = 0;
  for (std::size_t i = 0; i < input.size(); ++i) squares += double{input.index(i)} * double{input.index(i)};
  const auto mean = static_cast<float>(squares / static_cast<double>(input.size()));
  const float factor = 1 / std::sqrt(mean + kEpsilon);
  for (std::size_t i = 0; i < input.size(); ++i) output.index(i) = weight.index(i) * (factor * input.index(i));
}

}  // namespace

RMSNormLayer::RMSNormLayer() : ParamLayer("rms_norm") {}

void RMSNormLayer::set_weights(const Tensors& weights) {
  if (weights.size() != 1 || weights.front() == nullptr || weights.front()->empty()) {
    throw Error(ErrorCode::kShape, "layer " + layer_name_ + ": expected one weight tensor that is not empty");
  }
  weights_ = weights;
}

void RMSNormLayer::set_weights(const std::vector<float>& weights) {
  const auto tensor = std::make_shared<Tensor<float>>(static_cast<uint32_t>(weights.size()));
  if (!weights.empty()) tensor->Fill(weights);
  set_weights(Tensors{tensor});
}

InferStatus RMSNormLayer::Forward(const Tensors& inputs, Tensors& outputs) {
  const InferStatus checked = CheckTensors(layer_name_, weights_, inputs, outputs);
  if (checked != InferStatus::kInferSuccess) return checked;
  const auto refuse = [this](InferStatus status, const std::string& reason) {
    return RefuseTensors(layer_name_, status, reason);
  };
  const Tensor<float>& weight = *weights_.front();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->size() != weight.size()) {
      return refuse(InferStatus::kInferFailedShapeParameterError, "an input has " + std::to_string(inputs[i]->size()) +
                                                                      " elements, its weight " +
                                                                      std::to_string(weight.size()));
    }
    if (outputs[i] == nullptr || outputs[i]->empty()) {
      outputs[i] = std::make_shared<Tensor<float>>(inputs[i]->shapes());
    }
    if (outputs[i]->shapes() != inputs[i]->shapes()) {
      return refuse(InferStatus::kInferFailedOutputSizeError, "an output tensor has another shape than its input");
    }
    Normalise(*inputs[i], weight, *outputs[i]);
  }
  return InferStatus::kInferSuccess;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "layer/tensor_checks.hpp"

#include <algorithm>

#include "utils/system/log.hpp"

namespace kuiper_infer {

InferStatus RefuseTensors(const std::string& layer_name, InferStatus status, const std::string& reason) {
  Log(Severity::kError, "layer " + layer_name + ": " + reason);
  return status;
}

InferStatus CheckTensors(const std::string& layer_name, const Tensors& weights, const Tensors& inputs,
                         const Tensors& outputs) {
  const auto refuse = [&](InferStatus status, const std::string& reason) {
    return RefuseTensors(layer_name, status, reason);
  };
  if (inputs.empty()) return refuse(InferStatus::kInferFailedInputEmpty, "no input tensors");
  if (outputs.empty()) return refuse(InferStatus::kInferFailedOutputEmpty, "no output tensors");
  if (inputs.size() != outputs.size()) {
    return refuse(InferStatus::kInferFailedInputOutSizeMatchError,
                  std::to_string(inputs.size()) + " inputs for " + std::to_string(outputs.size()) + " outputs");
  }
  if (weights.empty()) return refuse(InferStatus::kInferFailedWeightParameterError, "its weight is not set");
  const auto is_empty = [](const auto& tensor) { return tensor == nullptr || tensor->empty(); };
  if (std::any_of(inputs.begin(), inputs.end(), is_empty)) {
    return refuse(InferStatus::kInferFailedInputEmpty, "an input tensor is empty");
  }
  return InferStatus::kInferSuccess;
}

}  // namespace kuiper_infer

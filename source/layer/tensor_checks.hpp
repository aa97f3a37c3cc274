// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/status_code.hpp"

namespace kuiper_infer {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// Logs why a layer does not compute, and returns `status`.
InferStatus RefuseTensors(const std::string& layer_name, InferStatus status, const std::string& reason);

/// Checks the arguments of Forward of a layer with weights that a program constructed: the weights are set, no input is
/// empty, and there are as many outputs as inputs. Logs the first fault and returns its status, or returns
/// kInferSuccess.
InferStatus CheckTensors(const std::string& layer_name, const Tensors& weights, const Tensors& inputs,
                         const Tensors& outputs);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/param_layer.hpp"

namespace kuiper_infer {

/// x * weight / sqrt(mean(x^2) + 1e-5) over all elements of each input, as the original's language model normalises.
/// An output may be its input.
class RMSNormLayer : public ParamLayer {
 public:
  RMSNormLayer();

  using ParamLayer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override;

  /// Takes one tensor of as many elements as an input has, which may be a view; throws Error(kShape) on another count
  /// of tensors.
  void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights) override;
  /// Copies the elements.
  void set_weights(const std::vector<float>& weights) override;
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include "layer.hpp"

namespace kuiper_infer {

/// A layer that keeps weights and biases as tensors, for operators that a program adds.
class ParamLayer : public templates::Layer<float> {
 public:
  using Layer::Forward;
  using Layer::Layer;

  /// Allocates `count` zero tensors of channels x height x width as weights.
  void InitWeightParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width);
  /// Allocates `count` zero tensors of channels x height x width as biases.
  void InitBiasParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width);

  const std::vector<std::shared_ptr<Tensor<float>>>& weights() const override { return weights_; }
  const std::vector<std::shared_ptr<Tensor<float>>>& bias() const override { return bias_; }
  /// Shares the given tensors. If InitWeightParam or InitBiasParam was called before, their number and shapes must
  /// agree with its tensors; otherwise these functions throw Error(kShape).
  void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights) override;
  void set_bias(const std::vector<std::shared_ptr<Tensor<float>>>& bias) override;
  /// Copies the values into the tensors of InitWeightParam or InitBiasParam, one tensor after the other, each in
  /// row-major order. Throws Error(kShape) unless there are as many values as elements.
  void set_weights(const std::vector<float>& weights) override;
  void set_bias(const std::vector<float>& bias) override;

 protected:
  std::vector<std::shared_ptr<Tensor<float>>> weights_;
  std::vector<std::shared_ptr<Tensor<float>>> bias_;
};

}  // namespace kuiper_infer

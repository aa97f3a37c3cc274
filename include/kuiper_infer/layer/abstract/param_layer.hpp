// SPDX-License-Identifier: MIT
#pragma once

#include "layer.hpp"

namespace kuiper_infer {

/// A layer that keeps weights and biases as tensors. For operators of the user's own.
class ParamLayer : public templates::Layer<float> {
 public:
  using Layer::Forward;
  using Layer::Layer;

  /// Allocates `count` zero tensors of channels x height x width.
  void InitWeightParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width);
  void InitBiasParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width);

  const std::vector<std::shared_ptr<Tensor<float>>>& weights() const override { return weights_; }
  const std::vector<std::shared_ptr<Tensor<float>>>& bias() const override { return bias_; }
  /// Takes tensors over, which must agree in number and shape with those of Init...Param, if that was called;
  /// Error(kShape) otherwise.
  void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights) override;
  void set_bias(const std::vector<std::shared_ptr<Tensor<float>>>& bias) override;
  /// Fills the tensors of Init...Param one after the other, each in row-major order; Error(kShape) on another count.
  void set_weights(const std::vector<float>& weights) override;
  void set_bias(const std::vector<float>& bias) override;

 protected:
  std::vector<std::shared_ptr<Tensor<float>>> weights_;
  std::vector<std::shared_ptr<Tensor<float>>> bias_;
};

}  // namespace kuiper_infer

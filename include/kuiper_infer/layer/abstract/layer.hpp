// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <glog/logging.h>

#include "../../data/tensor.hpp"
#include "../../runtime/runtime_op.hpp"
#include "../../status_code.hpp"

namespace kuiper_infer {

/// The executor of one operator. Programs derive from it to add an operator of their own: override
/// Forward(inputs, outputs) and register a creator (layer_factory.hpp). Its name is Layer, or Layer<float> with
/// KUIPER_NEWER_SPELLING (runtime_op.hpp).
template <>
class templates::Layer<float> {
 public:
  explicit Layer(std::string layer_name) : layer_name_(std::move(layer_name)) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Computes one batch. `inputs` holds one tensor per batch element; the inputs of several operands lie one operand
  /// after the other. `outputs` has one entry per batch element (and operand); a null or empty one is allocated by the
  /// layer. Tensors are in cube order: element (c,h,w) lies at c*H*W + w*H + h.
  virtual InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                              std::vector<std::shared_ptr<Tensor<float>>>& outputs);

  /// Computes the batch that the operands of the layer's operator hold (set_runtime_operator).
  virtual InferStatus Forward();

  /// Learned parameters; layers without any throw Error(kState).
  virtual const std::vector<std::shared_ptr<Tensor<float>>>& weights() const;
  virtual const std::vector<std::shared_ptr<Tensor<float>>>& bias() const;
  virtual void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights);
  virtual void set_bias(const std::vector<std::shared_ptr<Tensor<float>>>& bias);
  /// Sets learned parameters from a flat list in PyTorch's (row-major) order.
  virtual void set_weights(const std::vector<float>& weights);
  virtual void set_bias(const std::vector<float>& bias);

  virtual const std::string& layer_name() const { return layer_name_; }
  void set_runtime_operator(const std::shared_ptr<RuntimeOperator>& runtime_operator);

 protected:
  std::weak_ptr<RuntimeOperator> runtime_operator_;
  std::string layer_name_;
};

}  // namespace kuiper_infer

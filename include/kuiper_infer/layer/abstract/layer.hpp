// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#ifndef KUIPER_WITHOUT_GLOG
#include <glog/logging.h>  // for LOG and CHECK in layers of the original's programs, whose layer.hpp includes it, too
#endif

#include "../../data/tensor.hpp"
#include "../../runtime/runtime_op.hpp"
#include "../../status_code.hpp"

namespace kuiper_infer {

/// Computes one operator on float32 tensors. To add an operator of its own, a program derives from this class,
/// overrides Forward(inputs, outputs) and registers a creator (layer_factory.hpp). The class is called Layer, or
/// Layer<float> with KUIPER_NEWER_SPELLING (runtime_op.hpp).
template <>
class templates::Layer<float> {
 public:
  explicit Layer(std::string layer_name) : layer_name_(std::move(layer_name)) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Computes one batch. `inputs` holds one tensor per batch element; if the operator has several operands, all tensors
  /// of the first come before those of the second, and so on. `outputs` has one entry per batch element; the layer
  /// allocates an entry that is null or empty. Tensors are in cube order: element (c,h,w) lies at c*H*W + w*H + h.
  /// Returns kInferSuccess, or another status after logging the reason.
  virtual InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                              std::vector<std::shared_ptr<Tensor<float>>>& outputs);

  /// Computes the batch that the operands of the layer's operator hold (set_runtime_operator).
  virtual InferStatus Forward();

  /// Learned parameters, one tensor for each output channel or one in all. A layer without any throws Error(kState) in
  /// these six functions.
  virtual const std::vector<std::shared_ptr<Tensor<float>>>& weights() const;
  virtual const std::vector<std::shared_ptr<Tensor<float>>>& bias() const;
  virtual void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights);
  virtual void set_bias(const std::vector<std::shared_ptr<Tensor<float>>>& bias);
  /// Sets learned parameters from a flat list in PyTorch's (row-major) order.
  virtual void set_weights(const std::vector<float>& weights);
  virtual void set_bias(const std::vector<float>& bias);

  /// The operator's name in the file, or the name that the constructor got.
  virtual const std::string& layer_name() const { return layer_name_; }
  /// Sets the operator whose operands Forward() reads and fills. The layer does not keep it alive.
  void set_runtime_operator(const std::shared_ptr<RuntimeOperator>& runtime_operator);

 protected:
  std::weak_ptr<RuntimeOperator> runtime_operator_;
  std::string layer_name_;
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../../data/value.hpp"
#include "layer.hpp"

namespace kuiper_infer {

struct OperatorCall;

/// How a tensor's extents become the shape of one batch element.
enum class ElementShape {
  kLogical,  ///< raw_shapes(): leading extents of 1 are not part of it
  kCube,     ///< channels, rows, columns
};

/// The layer of every built-in operation. In a graph it only carries the operation's arguments for the planner; its
/// Forward serves programs that call a layer directly.
class OperatorLayer : public templates::Layer<float> {
 public:
  /// Makes the layer of a graph's operator. Throws Error if the operation is unknown or its arguments do not fit.
  explicit OperatorLayer(const RuntimeOperator& op);
  ~OperatorLayer() override;

  using Layer::Forward;
  InferStatus Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                      std::vector<std::shared_ptr<Tensor<float>>>& outputs) override;

  const std::vector<std::shared_ptr<Tensor<float>>>& weights() const override { return weights_; }
  const std::vector<std::shared_ptr<Tensor<float>>>& bias() const override { return bias_; }
  using Layer::set_bias;
  using Layer::set_weights;
  /// Sets weights or bias from one tensor per output channel, or from a single tensor. Throws Error(kShape) if the
  /// number of elements is wrong, Error(kState) if the operation has none.
  void set_weights(const std::vector<std::shared_ptr<Tensor<float>>>& weights) override;
  void set_bias(const std::vector<std::shared_ptr<Tensor<float>>>& bias) override;
  void set_weights(const std::vector<float>& weights) override;
  void set_bias(const std::vector<float>& bias) override;

  /// The operation with its arguments, for the planner.
  const OperatorCall& call() const { return *call_; }
  /// The operation with its arguments as a shared pointer: the graph's operator keeps it alive, too.
  std::shared_ptr<const OperatorCall> shared_call() const { return call_; }

  /// The creator registered for all built-in types.
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer);

 protected:
  /// Makes a layer that a program constructs. `type` names the operation, `params` are its parameters by name, and
  /// `weight_shapes` are the shapes of its weights, which are zero until they are set. Throws Error(kArgument) if the
  /// parameters do not fit.
  OperatorLayer(const std::string& type, std::map<std::string, Value> params, ElementShape element_shape,
                const std::map<std::string, Shape>& weight_shapes = {}, int operand_count = 1);

  /// Does what GetInstance does for an operator whose type may have been left empty.
  static ParseParameterAttrStatus MakeInstance(const std::string& default_type,
                                               const std::shared_ptr<RuntimeOperator>& op,
                                               std::shared_ptr<Layer>& layer);

  /// Sets a weight from its elements in row-major order. Throws Error(kState) if the layer has no weight of that name,
  /// Error(kShape) if it has another number of elements.
  void SetAttribute(const std::string& name, const std::vector<float>& row_major);

  std::string weight_name_ = "weight";  ///< the attributes that set_weights and set_bias write
  std::string bias_name_ = "bias";

 private:
  std::shared_ptr<OperatorCall> call_;
  ElementShape element_shape_ = ElementShape::kLogical;
  int operand_count_ = 1;  ///< 0: the number of inputs divided by the number of outputs
  std::vector<std::shared_ptr<Tensor<float>>> weights_;
  std::vector<std::shared_ptr<Tensor<float>>> bias_;
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../../data/ndarray.hpp"
#include "layer.hpp"

namespace kuiper_infer {

/// An operator of a user's own on arrays of any rank and element type, with any number of outputs, whose shapes follow
/// from the inputs'. What reads its outputs is planned ahead, unlike behind a Layer, whose outputs only a run tells.
/// A creator (layer_factory.hpp) registers it.
///
/// One layer serves all runs of its operator: its functions are called by several threads at once. What they throw
/// becomes an Error that names the operator, with the exception nested in it.
class ArrayLayer : public templates::Layer<float> {
 public:
  explicit ArrayLayer(std::string layer_name) : Layer(std::move(layer_name)) {}

  /// Element types and shapes of the outputs for inputs of these, all row-major. Throws where there can be none.
  virtual std::vector<TensorSpec> InferOutputs(const std::vector<TensorSpec>& inputs) const = 0;

  /// Fills the outputs, which have the shapes of InferOutputs. All arrays are row-major and valid during the call;
  /// inputs must not be written.
  virtual void Compute(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs) const = 0;
};

}  // namespace kuiper_infer

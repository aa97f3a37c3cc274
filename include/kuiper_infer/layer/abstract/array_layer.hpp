// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../../data/ndarray.hpp"
#include "layer.hpp"

namespace kuiper_infer {

/// An operator that a program adds, on arrays of any rank and element type and with any number of outputs, whose shapes
/// follow from the inputs' shapes. Operators that read its outputs are planned ahead. (Operators that read the output
/// of a Layer are planned in each run, because only its Forward tells the shape.) A creator (layer_factory.hpp)
/// registers it.
///
/// One layer serves all runs of its operator: several threads call its functions at once. If a function throws, the run
/// throws an Error that names the operator, with the exception nested in it.
class ArrayLayer : public templates::Layer<float> {
 public:
  explicit ArrayLayer(std::string layer_name) : Layer(std::move(layer_name)) {}

  /// Returns the element types and shapes of the outputs for inputs of the given ones; all are row-major. It throws if
  /// the operator does not take these inputs.
  virtual std::vector<TensorSpec> InferOutputs(const std::vector<TensorSpec>& inputs) const = 0;

  /// Fills the outputs, which have the shapes of InferOutputs. All arrays are row-major and valid during the call;
  /// inputs must not be written.
  virtual void Compute(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs) const = 0;
};

}  // namespace kuiper_infer

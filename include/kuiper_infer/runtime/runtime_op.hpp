// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir.h"
#include "runtime_attr.hpp"
#include "runtime_operand.hpp"
#include "runtime_parameter.hpp"

namespace kuiper_infer {

struct OperatorCall;

// A name cannot be a class and a template at once. The original's older spelling says Layer and RuntimeOperatorUtils,
// its newer one Layer<float> and RuntimeOperatorUtils<float>: a translation unit that defines KUIPER_NEWER_SPELLING
// before its includes gets the templates, any other the classes. Either way they are the same classes and link
// together.
namespace templates {
template <class T>
class Layer;
template <>
class Layer<float>;
template <class T>
class RuntimeOperatorUtils;
template <>
class RuntimeOperatorUtils<float>;
}  // namespace templates

#ifdef KUIPER_NEWER_SPELLING
using templates::Layer;
using templates::RuntimeOperatorUtils;
#else
using Layer = templates::Layer<float>;
using RuntimeOperatorUtils = templates::RuntimeOperatorUtils<float>;
#endif

/// An operator of the graph: type and name, operands, parameters, weights, and the layer that computes it.
struct RuntimeOperator {
  virtual ~RuntimeOperator() = default;

  bool has_forward = false;  ///< visited by the sort
  std::string name;
  std::string type;  ///< for example "nn.Conv2d": the key of the layer registry
  std::shared_ptr<templates::Layer<float>> layer;

  std::vector<std::string> output_names;                             ///< names of the consuming operators, each once
  std::shared_ptr<RuntimeOperand> output_operands;                   ///< the first output, null where there is none
  std::vector<std::shared_ptr<RuntimeOperand>> output_operands_seq;  ///< all outputs
  std::map<std::string, std::shared_ptr<RuntimeOperand>> input_operands;  ///< by producer name (the first of each)
  std::vector<std::shared_ptr<RuntimeOperand>> input_operands_seq;        ///< all inputs, repeated where used twice
  std::vector<std::string> input_names;  ///< PyTorch's argument name per input, empty where the file gives none
  std::map<std::string, std::shared_ptr<RuntimeOperator>> output_operators;  ///< consumers by name

  /// Parameters by name. An operator of a file has them from the moment when a program can look at it: when the program
  /// asks its graph for the operators, or when the graph has layers that the program registered. What a program sets
  /// here before the layer is made counts, and what it erases is gone.
  std::map<std::string, std::shared_ptr<RuntimeParameter>> params;
  std::map<std::string, std::shared_ptr<RuntimeAttribute>> attribute;

  /// For the library: the call that the operator stands for. From the file on it holds the exact values of the
  /// parameters, from the layer on everything. Null until the layer is made, if a program made the operator.
  std::shared_ptr<const OperatorCall> call;
  bool shows_params = false;  ///< for the library: `params` holds the parameters of `call`
};

/// Allocates the tensors of operands before the first run.
template <>
class templates::RuntimeOperatorUtils<float> {
 public:
  /// Allocates tensors for the operands in `input_operands_seq` and `input_operands` that have none yet and whose
  /// `shapes` are known: one tensor for each element along axis 0. Throws Error(kGraph) on a null operator or operand,
  /// and Error(kShape) on a shape that tensors cannot have.
  static void InitOperatorInput(const std::vector<std::shared_ptr<RuntimeOperator>>& operators);

  /// Allocates tensors for the output operands of `operators`, in the shapes that `pnnx_operators` records in the same
  /// order. Operands with unknown extents stay without tensors. Throws Error(kGraph) if the two lists differ.
  static void InitOperatorOutput(const std::vector<pnnx::Operator*>& pnnx_operators,
                                 const std::vector<std::shared_ptr<RuntimeOperator>>& operators);
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/runtime/build_options.hpp"
#include "planning/varying_operands.hpp"

namespace kuiper_infer {

/// An array that a model gives: an output, or an item of an output that is a tuple or list.
struct FlatOutput {
  std::string name;        ///< the output's name if it is no tuple, otherwise "NAME.0", "NAME.1" and so on
  std::size_t output = 0;  ///< the output, among the model's outputs
  std::shared_ptr<RuntimeOperand> operand;
};

/// A state: an output that is an input of the next run.
struct StatePair {
  std::string name;                                      ///< of the input
  std::size_t input = 0;                                 ///< among the model's inputs
  std::size_t output = 0;                                ///< among ModelStates::outputs
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;  ///< of the elements, as the file records it
  /// Set if the output is the input with new elements behind it. Otherwise the output replaces the input.
  std::optional<GrowingInput> growing;
  int64_t window = 0;  ///< the most elements that a growing state keeps along its axis, the last ones; 0: all
  NdArray initial;     ///< what the file gives for the first run; not defined: zeros, or no elements if the state grows

  /// The element type that the model computes with, if a session keeps elements of type `kept`.
  RuntimeDataType TypeInModel(RuntimeDataType kept) const {
    return type != RuntimeDataType::kTypeUnknown ? type : kept;
  }
};

/// The states of a model. A pnnx.Input says with the parameter `state=N` that it continues output N, counted with the
/// items of tuples and lists, and with `window=N` that it keeps the last N elements; an attribute `initial` of it holds
/// the value for the first run.
struct ModelStates {
  std::vector<FlatOutput> outputs;  ///< all outputs, flattened
  std::vector<StatePair> pairs;     ///< in the order of the inputs

  bool empty() const { return pairs.empty(); }
  bool grows() const;
  /// The state of an input, and of an output in `outputs`; null if it is none.
  const StatePair* OfInput(std::size_t input) const;
  StatePair* OfInput(std::size_t input);
  const StatePair* OfOutput(std::size_t output) const;
};

/// An output and an input that are no state, but could be one: the output is the input with new elements behind it.
struct ProposedState {
  std::string input;
  std::string output;
  int64_t axis = 0;  ///< along which it grows
};

/// Finds pairs that a program might have meant as states. They are only told, never taken for states.
std::vector<ProposedState> ProposeStates(const ModelStates& states, const Operators& operators,
                                         const Operators& inputs);

/// Finds the states that the file and a program name (BuildOptions::states). Throws Error(kGraph) for a fault in the
/// file and Error(kArgument) for one in the options: an unknown name, one that is used twice, shapes and types that
/// cannot match, or a window that the state cannot have.
ModelStates FindStates(const Operators& operators, const Operators& inputs, const Operators& outputs,
                       const BuildOptions& options);

}  // namespace kuiper_infer

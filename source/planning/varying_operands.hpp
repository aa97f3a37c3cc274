// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"
#include "planning/topology.hpp"

namespace kuiper_infer {

struct PlanningContext;

/// An input of a model that grows from run to run: the model concatenates new elements to it along an axis, and the
/// result is the input of the next run. A plan holds for every length of these inputs.
struct GrowingInput {
  std::size_t input = 0;                  ///< among the model's inputs (InputOperators)
  int64_t axis = 0;                       ///< along which it grows
  const RuntimeOperator* join = nullptr;  ///< the concatenation, whose first array is the input
  /// The element type in which a session keeps the elements of a float32 input, if it is another one: bfloat16, or int8
  /// in rows with scales (kernel/attention/int8_rows.hpp). Only attention then reads the elements.
  std::optional<RuntimeDataType> stored = std::nullopt;

  /// The spec of an array of `shape` that the model computes with in the type `type`, as a session keeps it.
  TensorSpec KeptSpec(RuntimeDataType type, const Shape& shape) const;
};

/// What is known, before a run, of an operand that depends on the lengths of growing inputs.
struct VaryingOperand {
  enum class Kind {
    kContents,  ///< an array whose shape is the same for all lengths
    kShape,     ///< an array whose shape follows the lengths
    kUnknown,   ///< a number, or a list
  };
  Kind kind = Kind::kUnknown;
  TensorSpec spec;  ///< of an array; for kShape, at the lengths of the trial
};

/// A trial of one set of lengths.
struct LengthTrial {
  std::vector<TensorSpec> inputs;                           ///< of the model, at the lengths of the trial
  std::map<const RuntimeOperand*, VaryingOperand> varying;  ///< every operand that depends on the lengths
};

/// Infers the shapes for two lengths of the growing inputs near `lengths`, their lengths in the next run, and compares
/// them. `inputs` has the extent -1 along the growing axes. What the trial says of an operator is a prediction: a run
/// has to compare it with what it finds. Throws Error if no pair of lengths suits the model.
LengthTrial TryLengths(const Operators& order, const std::vector<TensorSpec>& inputs,
                       const std::vector<GrowingInput>& growing, const std::vector<int64_t>& lengths,
                       const PlanningContext& context);

}  // namespace kuiper_infer

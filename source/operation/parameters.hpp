// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Fails unless the array holds float32 or float64.
void RequireFloating(const Arguments& arguments, const TensorArgument& tensor, const char* name = "input");

/// The element type that a model asks for by `dtype`. The converter drops that argument of some operators; the type
/// that the file notes at the output tells it then. `usual` where nothing was asked for.
RuntimeDataType AskedType(const Arguments& arguments, RuntimeDataType usual);

/// The element type that a model asks for, of results that are floating always: an integer type at the output is that
/// of a quantised array.
RuntimeDataType AskedFloatingType(const Arguments& arguments, RuntimeDataType usual);

/// The plan of a sum or product in the type that is asked for: floating elements keep theirs, others are added up as
/// int64. `plan` makes it of an array whose elements are to be converted to a type first. Where that is a narrower
/// integer, the array that `plan` gets has it already, and the int64 result is cut down to it: it wraps around.
OperationPlan PlanTotalInAskedType(const Arguments& arguments, const TensorArgument& input,
                                   const std::function<OperationPlan(const TensorArgument&, RuntimeDataType)>& plan);

/// An axis among the rank + 1 places where a new one can be put.
int64_t NewAxis(const Arguments& arguments, int64_t axis, int64_t rank);

/// A list argument; None stands for an empty list, as which the format writes those.
std::vector<int64_t> IntsOrEmpty(const Arguments& arguments, const char* name);

/// A number that may be absent.
std::optional<int64_t> OptionalInt(const Arguments& arguments, const char* name);

/// RunContext index of an optional side array (a weight, a statistic, an initial state), -1 when absent. Fails unless
/// it has this shape and element type.
int ParameterInput(const Arguments& arguments, const std::string& name, const Shape& shape, RuntimeDataType type);

/// Fails when the module says by `flag` that it has a weight, but comes without.
void RequireAffineWeight(const Arguments& arguments, const char* flag);

/// The data of an input found by ParameterInput; null for -1.
template <class T>
const T* DataOrNull(const RunContext& context, int input) {
  return input >= 0 ? context.inputs[input].as<T>() : nullptr;
}

/// An input of pooling and resizing: planes of `dimensions` axes, behind any leading ones.
struct SpatialInput {
  TensorArgument input;
  Shape leading;  ///< batch and channels, or only channels
  Shape image;
  int64_t planes = 1;

  RuntimeDataType type() const { return input.spec.type; }
  /// The shape of an output with these extents (the last ones count).
  template <class Extents>
  Shape OutputShape(const Extents& extents) const {
    Shape shape = leading;
    shape.insert(shape.end(), extents.end() - static_cast<int64_t>(image.size()), extents.end());
    return shape;
  }
};

/// Reads argument `input` and splits its shape; the rank is dimensions + 2, or one less where `unbatched` is allowed.
SpatialInput ReadSpatialInput(const Arguments& arguments, int64_t dimensions, bool unbatched = true);

}  // namespace kuiper_infer

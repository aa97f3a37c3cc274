// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "operation/operation.hpp"

namespace kuiper_infer {

/// Throws Error unless the array is float32 or float64.
void RequireFloating(const Arguments& arguments, const TensorArgument& tensor, const char* name = "input");

/// The element type that a model asks for by `dtype`, or `usual` if it asks for none. The converter drops that argument
/// of some operators; then the type that the file records at the output counts.
RuntimeDataType AskedType(const Arguments& arguments, RuntimeDataType usual);

/// AskedType for an operation whose results are always floating. If the file records an integer type at the output,
/// that is the type of a quantised array, and `usual` counts.
RuntimeDataType AskedFloatingType(const Arguments& arguments, RuntimeDataType usual);

/// Plans a sum or product in the type that the model asks for. By default floating and complex elements keep their
/// type, and other elements are added as int64. `plan` gets the array and the type in which it has to add its elements.
/// If the model asks for a narrower integer, the array that `plan` gets has this type already, and the int64 result is
/// cut down to it: it wraps around.
OperationPlan PlanTotalInAskedType(const Arguments& arguments, const TensorArgument& input,
                                   const std::function<OperationPlan(const TensorArgument&, RuntimeDataType)>& plan);

/// An axis argument for a new axis, which has rank + 1 possible places.
int64_t NewAxis(const Arguments& arguments, int64_t axis, int64_t rank);

/// The axis of a number that an argument holds, checked as Arguments::Axis checks it.
int64_t CheckedAxis(const Arguments& arguments, const std::string& name, int64_t axis, int64_t rank);

/// Axes like those of Arguments::Axes, but an empty list gives none, not all axes.
std::vector<int64_t> AxesOrNone(const Arguments& arguments, const std::string& name, int64_t rank);

/// A list argument. None stands for an empty list, because the format writes empty lists as None.
std::vector<int64_t> IntsOrEmpty(const Arguments& arguments, const char* name);

/// A number that may be absent.
std::optional<int64_t> OptionalInt(const Arguments& arguments, const char* name);

/// The RunContext index of an optional array (a weight, a statistic, an initial state); -1 if it is absent. Throws
/// Error unless it has this shape and element type.
int ParameterInput(const Arguments& arguments, const std::string& name, const Shape& shape, RuntimeDataType type);

/// Throws Error if the module says by `flag` that it has a weight, but the file has none.
void RequireAffineWeight(const Arguments& arguments, const char* flag);

/// The data of an input found by ParameterInput; null for -1.
template <class T>
const T* DataOrNull(const RunContext& context, int input) {
  return input >= 0 ? context.inputs[input].as<T>() : nullptr;
}

/// An input of pooling or resizing: its last axes are those of the image, its first ones batch and channels.
struct SpatialInput {
  TensorArgument input;
  Shape leading;  ///< batch and channels, or only channels
  Shape image;
  int64_t planes = 1;

  RuntimeDataType type() const { return input.spec.type; }
  /// The shape of an output whose image has these extents. Of more extents than axes, the last ones count.
  template <class Extents>
  Shape OutputShape(const Extents& extents) const {
    Shape shape = leading;
    shape.insert(shape.end(), extents.end() - static_cast<int64_t>(image.size()), extents.end());
    return shape;
  }
};

/// Reads argument `input` and splits its shape. The rank is dimensions + 2 or, if `unbatched`, dimensions + 1.
SpatialInput ReadSpatialInput(const Arguments& arguments, int64_t dimensions, bool unbatched = true);

}  // namespace kuiper_infer

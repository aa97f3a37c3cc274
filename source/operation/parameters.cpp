// SPDX-License-Identifier: MIT
#include "operation/parameters.hpp"

#include "operation/composition.hpp"
#include "operation/half_results.hpp"

namespace kuiper_infer {

void RequireFloating(const Arguments& arguments, const TensorArgument& tensor, const char* name) {
  const RuntimeDataType type = tensor.spec.type;
  arguments.Require(type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64,
                    std::string(name) + " is " + TypeName(type) + ", expected float32 or float64");
}

RuntimeDataType AskedType(const Arguments& arguments, RuntimeDataType usual) {
  const RuntimeDataType asked = arguments.Type("dtype");
  if (asked != RuntimeDataType::kTypeUnknown) return asked;
  const RuntimeDataType noted = arguments.recorded().type;
  // Models of 16-bit floating types are computed in float32, whatever the file notes.
  const bool other_kind = IsComplex(noted) != IsComplex(usual);
  return noted == RuntimeDataType::kTypeUnknown || IsHalf(noted) || other_kind ? usual : noted;
}

RuntimeDataType AskedFloatingType(const Arguments& arguments, RuntimeDataType usual) {
  const RuntimeDataType type = AskedType(arguments, usual);
  return IsFloating(type) || arguments.Has("dtype") ? type : usual;
}

OperationPlan PlanTotalInAskedType(const Arguments& arguments, const TensorArgument& input,
                                   const std::function<OperationPlan(const TensorArgument&, RuntimeDataType)>& plan) {
  const RuntimeDataType elements = input.spec.type;
  const bool keep = IsFloating(elements) || IsComplex(elements);
  const RuntimeDataType type = AskedType(arguments, keep ? elements : RuntimeDataType::kTypeInt64);
  const bool narrow = !IsFloating(type) && !IsComplex(type) && type != RuntimeDataType::kTypeInt64;
  if (!narrow) return plan(input, type);
  Composition composition(arguments);
  const TensorArgument wide =
      composition.Apply({composition.Convert(input, type)},
                        [&](const std::vector<TensorArgument>& arrays) { return plan(arrays.front(), type); });
  return composition.Finish({composition.Convert(wide, type)});
}

int64_t NewAxis(const Arguments& arguments, int64_t axis, int64_t rank) {
  if (axis < -rank - 1 || axis > rank) {
    arguments.Fail(ErrorCode::kArgument, "a new axis cannot be put at " + std::to_string(axis) + ", expected " +
                                             std::to_string(-rank - 1) + " to " + std::to_string(rank));
  }
  return axis < 0 ? axis + rank + 1 : axis;
}

std::vector<int64_t> IntsOrEmpty(const Arguments& arguments, const char* name) {
  return arguments.Has(name) ? arguments.Ints(name) : std::vector<int64_t>{};
}

std::optional<int64_t> OptionalInt(const Arguments& arguments, const char* name) {
  if (!arguments.Has(name)) return std::nullopt;
  return arguments.Int(name);
}

int ParameterInput(const Arguments& arguments, const std::string& name, const Shape& shape, RuntimeDataType type) {
  const TensorArgument* tensor = arguments.OptionalTensor(name);
  if (tensor == nullptr) return -1;
  const TensorSpec& spec = tensor->spec;
  arguments.Require(spec.type == type && spec.shape == shape,
                    name + " is " + SpecString(spec) + ", expected " + SpecString(TensorSpec(type, shape)));
  return tensor->input;
}

void RequireAffineWeight(const Arguments& arguments, const char* flag) {
  if (arguments.Has(flag) && arguments.Bool(flag) && !arguments.Has("weight")) {
    arguments.Fail(ErrorCode::kArgument,
                   std::string("attribute 'weight' is missing, expected an array because ") + flag + "=True");
  }
}

SpatialInput ReadSpatialInput(const Arguments& arguments, int64_t dimensions, bool unbatched) {
  SpatialInput read;
  read.input = arguments.Tensor("input");
  const Shape& shape = read.input.spec.shape;
  const int64_t rank = read.input.spec.rank();
  const std::string batched = std::to_string(dimensions + 2);
  const std::string expected =
      unbatched ? batched + " or, without a batch, " + std::to_string(dimensions + 1) : batched;
  arguments.Require(rank == dimensions + 2 || (unbatched && rank == dimensions + 1),
                    "input is " + ShapeString(shape) + ", expected rank " + expected);
  read.leading.assign(shape.begin(), shape.end() - dimensions);
  read.image.assign(shape.end() - dimensions, shape.end());
  read.planes = ElementCount(read.leading);
  return read;
}

}  // namespace kuiper_infer

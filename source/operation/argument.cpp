// SPDX-License-Identifier: MIT
#include "operation/arguments.hpp"

namespace kuiper_infer {

TensorArgument AsStrided(const TensorArgument& tensor, Shape shape, Strides strides) {
  TensorArgument view = tensor;
  view.spec = TensorSpec(tensor.spec.type, std::move(shape), std::move(strides));
  return view;
}

TensorArgument Reshaped(const TensorArgument& tensor, const Shape& shape) {
  return AsStrided(tensor, shape, RowMajorStrides(shape));
}

std::optional<double> TensorArgument::known_number() const {
  if (!is_constant() || spec.size() != 1 || IsComplex(spec.type)) return std::nullopt;
  return *values().To(RuntimeDataType::kTypeFloat64).Contiguous().data<double>();
}

std::string Describe(const Argument& argument) {
  if (const Value* value = argument.known()) {
    return (value->IsNone() ? "" : std::string(KindName(*value)) + " ") + ValueString(*value);
  }
  if (const TensorArgument* tensor = argument.tensor()) return "Tensor " + SpecString(tensor->spec);
  if (argument.list() != nullptr) return "a list of " + std::to_string(argument.list()->size());
  return "nothing";
}

}  // namespace kuiper_infer

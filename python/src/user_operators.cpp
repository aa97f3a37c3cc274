// SPDX-License-Identifier: MIT
// Operators that Python functions compute.
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "borrowed_arrays.hpp"
#include "kuiper_infer/layer/abstract/array_layer.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {
namespace {

/// A Python object that C++ code without the GIL keeps.
using Kept = std::shared_ptr<nb::object>;

Kept Keep(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* kept) {
            if (!nb::is_alive()) return;  // the interpreter has ended, and its objects with it
            const nb::gil_scoped_acquire acquire;
            delete kept;
          }};
}

/// A function of an operator type: "infer" ([(dtype, shape), ...], attributes) -> [(dtype, shape), ...] describes its
/// outputs, "compute" ([input, ...], attributes) -> [output, ...] makes them. The package keeps the functions. If
/// layers kept them, a function that refers to its model would keep that model alive for good.
nb::object FunctionOf(const std::string& type, const char* name) {
  return nb::module_::import_("kuiper_infer._operators").attr("operators")[type.c_str()].attr(name);
}

/// Calls `function` with the GIL. An exception of Python is nested in one that has its last line as text.
template <class Function>
auto CallingPython(const Function& function) {
  const nb::gil_scoped_acquire acquire;
  try {
    return function();
  } catch (const nb::python_error& error) {
    const std::string type = nb::type_name(error.type()).c_str();
    std::throw_with_nested(std::runtime_error(type + ": " + nb::str(error.value()).c_str()));
  }
}

nb::list DescribeSpecs(const std::vector<TensorSpec>& specs) {
  nb::list described;
  for (const TensorSpec& spec : specs) described.append(nb::make_tuple(TypeName(spec.type), ShapeTuple(spec.shape)));
  return described;
}

class PythonLayer : public ArrayLayer {
 public:
  PythonLayer(const std::string& type, Kept attributes) : ArrayLayer(type), attributes_(std::move(attributes)) {}

  std::vector<TensorSpec> InferOutputs(const std::vector<TensorSpec>& inputs) const override {
    return CallingPython([&] { return Announced(inputs); });
  }

  /// Elements are copied in both directions, because Python code may keep the arrays that it gets, and may return any
  /// array.
  void Compute(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs) const override {
    CallingPython([&] { Fill(inputs, outputs); });
  }

 private:
  std::vector<TensorSpec> Announced(const std::vector<TensorSpec>& inputs) const {
    std::vector<TensorSpec> outputs;
    for (const nb::handle& each : FunctionOf(layer_name_, "infer")(DescribeSpecs(inputs), *attributes_)) {
      const auto name = nb::cast<std::string>(each[0]);
      const RuntimeDataType type = TypeFromTorchName("torch." + name);
      if (!HasNumpyType(type))
        throw Error(ErrorCode::kArgument, "'" + name + "' is not an element type of both NumPy and models");
      outputs.emplace_back(type, nb::cast<Shape>(each[1]));
    }
    return outputs;
  }

  void Fill(const std::vector<NdArray>& inputs, const std::vector<NdArray>& outputs) const {
    nb::list given;
    for (const NdArray& input : inputs) given.append(NumpyArray(input.Clone()));
    BorrowedArrays results;
    for (const nb::handle& result : FunctionOf(layer_name_, "compute")(given, *attributes_)) {
      const NdArray& array =
          results.Add(result, [&] { return "its result " + std::to_string(results.arrays().size()); });
      const std::size_t index = results.arrays().size() - 1;
      const bool announced =
          index < outputs.size() && array.type() == outputs[index].type() && array.shape() == outputs[index].shape();
      if (!announced) {
        const std::string expected = index < outputs.size() ? SpecString(outputs[index].spec()) : "no such one";
        throw Error(ErrorCode::kShape, "its result " + std::to_string(index) + " is " + SpecString(array.spec()) +
                                           ", announced was " + expected);
      }
      std::memcpy(outputs[index].raw(), array.Contiguous().raw(),
                  static_cast<std::size_t>(ByteCount(array.type(), array.shape())));
    }
    if (results.arrays().size() != outputs.size()) {
      throw Error(ErrorCode::kShape, "it gave " + std::to_string(results.arrays().size()) +
                                         " results, announced were " + std::to_string(outputs.size()));
    }
  }

  Kept attributes_;
};

/// A parameter of the file as a Python value.
nb::object PythonValue(const RuntimeParameter& parameter) {
  const auto value = [&](auto tag) -> nb::object {
    using Parameter = decltype(tag);
    const auto* typed = dynamic_cast<const Parameter*>(&parameter);
    return typed == nullptr ? nb::object() : nb::cast(typed->value);
  };
  for (const nb::object& found :
       {value(RuntimeParameterBool()), value(RuntimeParameterInt()), value(RuntimeParameterFloat()),
        value(RuntimeParameterString()), value(RuntimeParameterIntArray()), value(RuntimeParameterFloatArray()),
        value(RuntimeParameterStringArray())}) {
    if (found.is_valid()) return found;
  }
  return nb::none();
}

/// A weight as an array of its own.
NumpyResult WeightArray(const RuntimeAttribute& attribute) {
  const Shape shape(attribute.shape.begin(), attribute.shape.end());
  const NdArray view =
      NdArray::View(const_cast<char*>(attribute.weight_data.data()), TensorSpec(attribute.type, shape));
  if (static_cast<int64_t>(attribute.weight_data.size()) != ByteCount(attribute.type, shape)) {
    throw Error(ErrorCode::kArgument, "a weight has another number of bytes than its shape " + ShapeString(shape));
  }
  return NumpyArray(view.Clone());
}

ParseParameterAttrStatus CreatePythonLayer(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer>& layer) {
  CallingPython([&] {
    nb::dict attributes;
    for (const auto& [name, parameter] : op->params) attributes[name.c_str()] = PythonValue(*parameter);
    for (const auto& [name, attribute] : op->attribute) attributes[name.c_str()] = WeightArray(*attribute);
    layer = std::make_shared<PythonLayer>(op->type, Keep(std::move(attributes)));
  });
  return ParseParameterAttrStatus::kParameterAttrParseSuccess;
}

}  // namespace

void AddUserOperators(nb::module_& module) {
  module.def(
      "register_operator", [](const std::string& type) { LayerRegisterer::RegisterCreator(type, CreatePythonLayer); },
      nb::arg("type"), "Lets kuiper_infer._operators.operators[type] compute the operators of a type.");
}

}  // namespace kuiper_infer::python

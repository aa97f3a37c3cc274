// SPDX-License-Identifier: MIT
#include <string>

#include "kernel/movement/copy.hpp"
#include "operation/parameters.hpp"
#include "operation/views.hpp"
#include "operators/elementwise/formula.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

RuntimeDataType ComplexOf(RuntimeDataType real) {
  return real == RuntimeDataType::kTypeFloat64 ? RuntimeDataType::kTypeComplex128 : RuntimeDataType::kTypeComplex64;
}

RuntimeDataType RealOf(RuntimeDataType complex) {
  return complex == RuntimeDataType::kTypeComplex128 ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeFloat32;
}

/// The spec of a complex array's memory as pairs of real numbers, along a new last axis.
TensorSpec AsPairs(const TensorSpec& complex) {
  TensorSpec pairs(RealOf(complex.type), complex.shape, complex.strides);
  for (int64_t& stride : pairs.strides) stride *= 2;
  pairs.shape.push_back(2);
  pairs.strides.push_back(1);
  return pairs;
}

void RequireComplex(const Arguments& arguments, const TensorArgument& input) {
  arguments.Require(
      input.spec.type == RuntimeDataType::kTypeComplex64 || input.spec.type == RuntimeDataType::kTypeComplex128,
      std::string("input is ") + TypeName(input.spec.type) + ", expected complex64 or complex128");
}

/// Plans a new array `out` with the elements of the view `from` of the argument, which begins `offset` elements after
/// the argument's first element.
OperationPlan PlanPart(const TensorArgument& input, const TensorSpec& from, int64_t offset, const TensorSpec& out) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [from, offset, index = input.input](const RunContext& c) {
    const auto* data = c.inputs[index].as<std::byte>() + offset * static_cast<int64_t>(ElementBytes(from.type));
    kernel::Copy({data, from}, c.outputs[0]);
  };
  return plan;
}

/// Plans the real (0) or imaginary (1) part.
template <int kPart>
OperationPlan PlanComponent(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  if (kPart == 0 && !IsComplex(input.spec.type)) return PlanForward(Argument{input});
  RequireComplex(arguments, input);
  TensorSpec part = AsPairs(input.spec);
  part.shape.pop_back();
  part.strides.pop_back();
  return PlanPart(input, part, kPart, TensorSpec(part.type, part.shape));
}

OperationPlan PlanViewAsReal(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireComplex(arguments, input);
  const TensorSpec pairs = AsPairs(input.spec);
  return PlanPart(input, pairs, 0, TensorSpec(pairs.type, pairs.shape));
}

OperationPlan PlanViewAsComplex(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  const Shape& shape = input.spec.shape;
  arguments.Require(!shape.empty() && shape.back() == 2,
                    "input is " + ShapeString(shape) + ", expected a last axis of extent 2");
  const TensorSpec out(ComplexOf(input.spec.type), Shape(shape.begin(), shape.end() - 1));
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [pairs = AsPairs(out), index = input.input](const RunContext& c) {
    kernel::Copy(c.inputs[index], {c.outputs[0].data, pairs});
  };
  return plan;
}

/// Fails unless both arrays are of one floating type.
void RequireParts(const Arguments& arguments, const std::string& first, const std::string& second) {
  const TensorSpec& a = arguments.Tensor(first).spec;
  const TensorSpec& b = arguments.Tensor(second).spec;
  RequireFloating(arguments, arguments.Tensor(first), first.c_str());
  arguments.Require(a.type == b.type, first + " and " + second + " are " + SpecString(a) + " and " + SpecString(b) +
                                          ", expected one type");
}

/// Plans complex numbers from their two parts, which are broadcast against each other.
OperationPlan PlanComplex(const Arguments& arguments) {
  const TensorArgument& real = arguments.Tensor("real");
  const TensorArgument& imaginary = arguments.Tensor("imag");
  RequireParts(arguments, "real", "imag");
  const Shape shape = BroadcastShapes(real.spec.shape, imaginary.spec.shape);
  const TensorSpec out(ComplexOf(real.spec.type), shape);
  TensorSpec part = AsPairs(out);
  part.shape.pop_back();
  part.strides.pop_back();
  const TensorSpec sources[2] = {{real.spec.type, shape, BroadcastStrides(real.spec, shape)},
                                 {real.spec.type, shape, BroadcastStrides(imaginary.spec, shape)}};
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.run = [part, first = sources[0], second = sources[1], a = real.input, b = imaginary.input](const RunContext& c) {
    auto* data = c.outputs[0].as<std::byte>();
    kernel::Copy({c.inputs[a].data, first}, {data, part});
    kernel::Copy({c.inputs[b].data, second}, {data + ElementBytes(part.type), part});
  };
  return plan;
}

/// Plans abs (cos angle + i sin angle).
OperationPlan PlanPolar(const Arguments& arguments) {
  RequireParts(arguments, "abs", "angle");
  Composition composition(arguments);
  return composition.Finish(
      {composition.Call("torch.complex", {{"real", ApplyFormula(composition, "mul(abs, cos(angle))")},
                                          {"imag", ApplyFormula(composition, "mul(abs, sin(angle))")}})});
}

}  // namespace

void RegisterComplexView(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  table.Add({"torch.real", "aten::real"}, "Tensor input|self", PlanComponent<0>, strided);
  table.Add({"torch.imag", "aten::imag"}, "Tensor input|self", PlanComponent<1>, strided);
  table.Add({"torch.view_as_real", "aten::view_as_real"}, "Tensor input|self", PlanViewAsReal, strided);
  table.Add({"torch.view_as_complex", "aten::view_as_complex"}, "Tensor input|self", PlanViewAsComplex, strided);
  table.Add({"torch.complex", "aten::complex"}, "Tensor real, Tensor imag", PlanComplex, strided);
  table.Add({"torch.polar", "aten::polar"}, "Tensor abs, Tensor angle", PlanPolar);
}

}  // namespace kuiper_infer

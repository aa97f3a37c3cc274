// SPDX-License-Identifier: MIT
#include <cmath>

#include "operators/elementwise/elementwise_table.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// Plans the formula with its last argument, a factor, in the kind of the other arguments. The factor does not
/// influence the result's type; if the other arguments are integers or bool, it becomes an integer.
OperationPlan PlanWithFactor(const Arguments& arguments, const Formula& formula) {
  const std::string& name = arguments.schema().arguments().back().name;
  const TensorArgument& factor = arguments.Tensor(name);
  if (factor.known_number() == 1.0) return PlanFormula(arguments, formula.WithoutFactor(name));
  CallArguments operands;
  std::vector<TensorSpec> deciding;
  for (const std::string& operand : formula.operands()) {
    operands[operand] = arguments.Tensor(operand);
    if (operand != name) deciding.push_back(arguments.Tensor(operand).spec);
  }
  const RuntimeDataType type = Promote(deciding);
  if (IsFloating(type) || IsComplex(type)) return PlanFormula(arguments, formula);
  arguments.Require(name != "alpha" || !IsFloating(factor.spec.type),
                    std::string("alpha is ") + TypeName(factor.spec.type) +
                        ", expected an integer as the operands are " + TypeName(type));
  Composition composition(arguments);
  operands[name] = composition.Convert(factor, type);
  return composition.Finish({composition.Convert(ApplyFormula(composition, formula, operands), type)});
}

OperationPlan PlanDivide(const Arguments& arguments, const Formula& formula) {
  static const Formula kFloor("floor_divide(input, other)");
  static const Formula kTruncated("trunc(div(input, other))");
  static const Formula kTruncatedIntegers("floor_divide(sub(input, fmod(input, other)), other)");
  const std::string mode = arguments.Has("rounding_mode") ? arguments.String("rounding_mode") : "";
  arguments.Require(mode.empty() || mode == "floor" || mode == "trunc",
                    "rounding_mode is '" + mode + "', expected floor or trunc");
  if (mode.empty()) return PlanFormula(arguments, formula);
  if (mode == "floor") return PlanFormula(arguments, kFloor);
  const bool floating =
      IsFloating(arguments.Tensor("input").spec.type) || IsFloating(arguments.Tensor("other").spec.type);
  return PlanFormula(arguments, floating ? kTruncated : kTruncatedIntegers);
}

/// Plans input * 2^other. Integer exponents are converted to the input's type. They shift the exponents of floating
/// numbers, even where 2^other alone would overflow.
OperationPlan PlanLdexp(const Arguments& arguments, const Formula& formula) {
  static const Formula kShift("ldexp(input, other)");
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument exponent = arguments.Tensor("other");
  Composition composition(arguments);
  const bool whole = !IsFloating(exponent.spec.type) && !IsComplex(exponent.spec.type);
  if (whole && (IsFloating(input.spec.type) || IsComplex(input.spec.type))) {
    exponent = composition.Call("Tensor.type_as", {{"input", exponent}, {"other", input}});
  }
  const bool shifts = whole && IsFloating(input.spec.type);
  return composition.Finish(
      {ApplyFormula(composition, shifts ? kShift : formula, {{"input", input}, {"other", exponent}})});
}

OperationPlan PlanFloatPower(const Arguments& arguments, const Formula& formula) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& exponent = arguments.Tensor("exponent");
  if (!IsComplex(input.spec.type) && !IsComplex(exponent.spec.type)) return PlanFormula(arguments, formula);
  Composition composition(arguments);
  const auto wide = [&](const TensorArgument& x) { return composition.Convert(x, RuntimeDataType::kTypeComplex128); };
  return composition.Finish({composition.Call("torch.pow", {{"input", wide(input)}, {"exponent", wide(exponent)}})});
}

/// Real numbers are their own conjugates.
OperationPlan PlanConjugate(const Arguments& arguments, const Formula& formula) {
  if (IsComplex(arguments.Tensor("input").spec.type)) return PlanFormula(arguments, formula);
  OperationPlan plan;
  plan.outputs = {OutputPlan::Forward(arguments.Get("input"))};
  return plan;
}

}  // namespace

std::vector<ElementwiseRow> ArithmeticRows() {
  const std::string x = kOneArray;
  const std::string pair = kTwoArrays;
  const std::string scaled = pair + ", Tensor alpha=1";
  const std::string product = x + ", Tensor tensor1, Tensor tensor2, Tensor value=1";
  const std::string power = x + ", Tensor exponent";
  return {
      {{"torch.add", "aten::add", "torch.add_", "aten::add_"}, scaled, "add(input, mul(other, alpha))", PlanWithFactor},
      {{"torch.sub", "aten::sub", "torch.subtract", "aten::subtract"},
       scaled,
       "sub(input, mul(other, alpha))",
       PlanWithFactor},
      {{"torch.rsub", "aten::rsub"}, scaled, "sub(other, mul(input, alpha))", PlanWithFactor},
      {{"torch.mul", "aten::mul", "torch.multiply", "aten::multiply"}, pair, "mul(input, other)"},
      {{"torch.div", "aten::div", "torch.divide", "aten::divide"},
       pair + ", str? rounding_mode=None",
       "div(input, other)",
       PlanDivide},
      {{"torch.true_divide", "aten::true_divide"}, pair, "div(input, other)"},
      {{"torch.floor_divide", "aten::floor_divide"}, pair, "floor_divide(input, other)"},
      {{"torch.fmod", "aten::fmod"}, pair, "fmod(input, other)"},
      {{"torch.remainder", "aten::remainder"}, pair, "remainder(input, other)"},
      {{"torch.addcmul", "aten::addcmul"}, product, "add(input, mul(mul(tensor1, value), tensor2))", PlanWithFactor},
      {{"torch.addcdiv", "aten::addcdiv"}, product, "add(input, div(mul(tensor1, value), tensor2))", PlanWithFactor},
      {{"torch.pow", "aten::pow"}, power, "pow(input, exponent)"},
      {{"torch.float_power", "aten::float_power"},
       power,
       "pow(torch.double(input), torch.double(exponent))",
       PlanFloatPower},
      {{"torch.ldexp", "aten::ldexp"}, pair, "mul(input, pow(2.0, other))", PlanLdexp},
      {{"torch.gcd", "aten::gcd"}, pair, "gcd(input, other)"},
      {{"torch.lcm", "aten::lcm"}, pair, "lcm(input, other)"},
      {{"torch.abs", "aten::abs", "torch.absolute", "aten::absolute"}, x, "abs(input)"},
      {{"torch.neg", "aten::neg", "torch.negative", "aten::negative"}, x, "neg(input)"},
      {{"torch.positive", "aten::positive"}, x, "positive(input)"},
      {{"torch.square", "aten::square"}, x, "square(input)"},
      {{"torch.reciprocal", "aten::reciprocal"}, x, "reciprocal(input)"},
      {{"torch.sign", "aten::sign", "torch.sgn", "aten::sgn"}, x, "sign(input)"},
      {{"torch.conj", "aten::conj", "aten::_conj", "aten::conj_physical", "aten::_conj_physical"},
       x,
       "conj(input)",
       PlanConjugate},
  };
}

}  // namespace kuiper_infer

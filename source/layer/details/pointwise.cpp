// SPDX-License-Identifier: MIT
#include <map>

#include "layer/details/elementwise_plan.hpp"
#include "layer/details/formula.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

std::string BareName(const std::string& type) {
  std::string name = type.substr(type.find_last_of(".:") + 1);
  return name.compare(0, 8, "special_") == 0 ? name.substr(8) : name;
}

struct Formula {
  std::vector<std::string> names;
  const char* schema;
  const char* text;
  bool factor = false;  ///< the last argument is a factor, which has no say in the result's type
};

const char* const kPair = "Tensor input|self, Tensor other";

/// Operations that are one formula of their arguments; an argument's number is its place in the schema.
const std::vector<Formula>& Formulas() {
  static const std::vector<Formula> kFormulas = {
      {{"addcmul"}, "Tensor input|self, Tensor tensor1, Tensor tensor2, Tensor value=1", "0 1 2 mul 3 mul add", true},
      {{"addcdiv"}, "Tensor input|self, Tensor tensor1, Tensor tensor2, Tensor value=1", "0 1 2 div 3 mul add", true},
      {{"lerp"}, "Tensor input|self, Tensor end, Tensor weight", "0 1 0 sub 2 mul add"},
      {{"rsub"}, "Tensor input|self, Tensor other, Tensor alpha=1", "1 0 2 mul sub", true},
      {{"multiply"}, kPair, "0 1 mul"},
      {{"true_divide"}, kPair, "0 1 div"},
      {{"arctan2"}, kPair, "0 1 atan2"},
      {{"greater"}, kPair, "0 1 gt"},
      {{"greater_equal"}, kPair, "0 1 ge"},
      {{"less"}, kPair, "0 1 lt"},
      {{"less_equal"}, kPair, "0 1 le"},
      {{"not_equal"}, kPair, "0 1 ne"},
      {{"__and__"}, kPair, "0 1 and"},
      {{"__or__"}, kPair, "0 1 or"},
      {{"__xor__"}, kPair, "0 1 xor"},
      {{"__lshift__"}, kPair, "0 1 lshift"},
      {{"__rshift__"}, kPair, "0 1 rshift"},
  };
  return kFormulas;
}

/// The arguments in the schema's order, numbers as arrays of rank 0.
std::vector<TensorArgument> Operands(const Arguments& arguments) {
  std::vector<TensorArgument> operands;
  for (const ArgumentSchema& argument : arguments.schema().arguments()) {
    operands.push_back(arguments.Tensor(argument.name));
  }
  return operands;
}

/// The formula of operands of which the last one is a factor. Where the others are integers or bool it becomes one,
/// too.
OperationPlan PlanWithFactor(const Arguments& arguments, const std::string& formula,
                             const std::vector<TensorArgument>& operands) {
  std::vector<TensorSpec> deciding;
  for (const TensorArgument& operand : operands) deciding.push_back(operand.spec);
  deciding.pop_back();
  const RuntimeDataType type = Promote(deciding);
  if (IsFloating(type) || IsComplex(type)) return PlanFormula(arguments, formula, operands);
  const std::string& name = arguments.schema().arguments().back().name;
  const RuntimeDataType given = operands.back().spec.type;
  arguments.Require(
      name != "alpha" || !IsFloating(given),
      std::string("alpha is ") + TypeName(given) + ", expected an integer as the operands are " + TypeName(type));
  Composition composition(arguments);
  std::vector<TensorArgument> converted = operands;
  converted.back() = composition.Convert(operands.back(), type);
  return composition.Finish({composition.Convert(ApplyFormula(composition, formula, converted), type)});
}

OperationPlan PlanNamedFormula(const Arguments& arguments) {
  const std::string name = BareName(arguments.type());
  for (const Formula& formula : Formulas()) {
    for (const std::string& known : formula.names) {
      if (known != name) continue;
      return (formula.factor ? PlanWithFactor : PlanFormula)(arguments, formula.text, Operands(arguments));
    }
  }
  arguments.Fail(ErrorCode::kUnsupported, "there is no formula for " + name);
}

/// A function of the tables by its own name; some have others beside.
OperationPlan PlanByName(const Arguments& arguments) {
  static const std::map<std::string, std::string> kOther = {
      {"absolute", "abs"}, {"arccos", "acos"},   {"arccosh", "acosh"}, {"arcsin", "asin"}, {"arcsinh", "asinh"},
      {"arctan", "atan"},  {"arctanh", "atanh"}, {"negative", "neg"},  {"fix", "trunc"},   {"sgn", "sign"},
      {"psi", "digamma"},  {"expit", "sigmoid"}, {"gammaln", "lgamma"}};
  const std::string bare = BareName(arguments.type());
  const auto other = kOther.find(bare);
  const std::string& name = other == kOther.end() ? bare : other->second;
  const std::vector<TensorArgument> operands = Operands(arguments);
  return PlanFormula(arguments, (operands.size() == 1 ? "0 " : "0 1 ") + name, operands);
}

/// input + alpha * other, or minus.
template <bool kSum>
OperationPlan PlanScaledSum(const Arguments& arguments) {
  const TensorArgument& alpha = arguments.Tensor("alpha");
  const bool one = alpha.known_number() == 1.0;
  const std::string formula = std::string(one ? "0 1 " : "0 1 2 mul ") + (kSum ? "add" : "sub");
  std::vector<TensorArgument> operands = {arguments.Tensor("input"), arguments.Tensor("other")};
  if (one) return PlanFormula(arguments, formula, operands);
  operands.push_back(alpha);
  return PlanWithFactor(arguments, formula, operands);
}

/// input * 2^other; exponents that are integers take the input's type.
OperationPlan PlanLdexp(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument exponent = arguments.Tensor("other");
  Composition composition(arguments);
  const bool whole = !IsFloating(exponent.spec.type) && !IsComplex(exponent.spec.type);
  if (whole && (IsFloating(input.spec.type) || IsComplex(input.spec.type))) {
    exponent = composition.Call("Tensor.type_as", {{"input", exponent}, {"other", input}});
  }
  return composition.Finish({ApplyFormula(composition, "0 #2 1 pow mul", {input, exponent})});
}

}  // namespace

void RegisterPointwise(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  for (const Formula& formula : Formulas()) {
    for (const std::string& name : formula.names) {
      table.Add({"torch." + name, "aten::" + name}, formula.schema, PlanNamedFormula, strided);
    }
  }
  const char* scaled = "Tensor input|self, Tensor other, Tensor alpha=1";
  table.Add({"torch.add", "aten::add", "torch.add_", "aten::add_"}, scaled, PlanScaledSum<true>, strided);
  table.Add({"torch.sub", "aten::sub", "torch.subtract", "aten::subtract"}, scaled, PlanScaledSum<false>, strided);
  for (const char* name : {"angle",   "sgn",     "signbit", "isfinite", "isinf",   "isnan",    "isneginf", "isposinf",
                           "deg2rad", "rad2deg", "i0",      "erfinv",   "digamma", "sinc",     "absolute", "arccos",
                           "arccosh", "arcsin",  "arcsinh", "arctan",   "arctanh", "negative", "fix"}) {
    table.Add({std::string("torch.") + name, std::string("aten::") + name}, "Tensor input|self", PlanByName, strided);
  }
  for (const char* name : {"entr",  "erfcx",     "ndtr",      "ndtri", "log_ndtr", "i0",      "i0e",   "i1",
                           "i1e",   "bessel_j0", "bessel_j1", "psi",   "digamma",  "gammaln", "expit", "exp2",
                           "expm1", "log1p",     "erf",       "erfc",  "erfinv",   "sinc",    "round"}) {
    table.Add({std::string("aten::special_") + name}, "Tensor input|self", PlanByName, strided);
  }
  for (const char* name : {"copysign", "hypot", "heaviside", "logaddexp2", "xlogy", "gcd", "lcm", "nextafter", "fmax",
                           "fmin", "special_xlogy", "special_xlog1py", "special_zeta"}) {
    const char* schema = std::string(name) == "heaviside" ? "Tensor input|self, Tensor values" : kPair;
    table.Add({std::string("torch.") + name, std::string("aten::") + name}, schema, PlanByName, strided);
  }
  table.Add({"torch.ldexp", "aten::ldexp"}, kPair, PlanLdexp, strided);
  table.Add({"torch.pow", "aten::pow"}, "Tensor input|self, Tensor exponent", PlanByName, strided);
}

}  // namespace kuiper_infer

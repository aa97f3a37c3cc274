// SPDX-License-Identifier: MIT
#include <limits>
#include <map>

#include "layer/details/elementwise_plan.hpp"
#include "layer/details/formula.hpp"

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
};

const char* const kPair = "Tensor input|self, Tensor other";

/// Operations that are one formula of their arguments; an argument's number is its place in the schema.
const std::vector<Formula>& Formulas() {
  static const std::vector<Formula> kFormulas = {
      {{"addcmul"}, "Tensor input|self, Tensor tensor1, Tensor tensor2, Tensor value=1", "0 1 2 mul 3 mul add"},
      {{"addcdiv"}, "Tensor input|self, Tensor tensor1, Tensor tensor2, Tensor value=1", "0 1 2 div 3 mul add"},
      {{"lerp"}, "Tensor input|self, Tensor end, Tensor weight", "0 1 0 sub 2 mul add"},
      {{"add", "add_"}, "Tensor input|self, Tensor other, Tensor alpha=1", "0 1 2 mul add"},
      {{"sub", "subtract"}, "Tensor input|self, Tensor other, Tensor alpha=1", "0 1 2 mul sub"},
      {{"rsub"}, "Tensor input|self, Tensor other, Tensor alpha=1", "1 0 2 mul sub"},
      {{"multiply"}, kPair, "0 1 mul"},
      {{"true_divide"}, kPair, "0 1 div"},
      {{"ldexp"}, kPair, "0 #2 1 pow mul"},
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

OperationPlan PlanNamedFormula(const Arguments& arguments) {
  const std::string name = BareName(arguments.who().type);
  for (const Formula& formula : Formulas()) {
    for (const std::string& known : formula.names) {
      if (known == name) return PlanFormula(arguments, formula.text, Operands(arguments));
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
  const std::string bare = BareName(arguments.who().type);
  const auto other = kOther.find(bare);
  const std::string& name = other == kOther.end() ? bare : other->second;
  const std::vector<TensorArgument> operands = Operands(arguments);
  return PlanFormula(arguments, (operands.size() == 1 ? "0 " : "0 1 ") + name, operands);
}

/// A function of one array with parameters of its own.
OperationPlan PlanParameters(const Arguments& arguments, const std::string& name, std::array<double, 3> parameters) {
  const TensorArgument& input = arguments.Tensor("input");
  kernel::BlockProgram program;
  program.instructions.push_back(InputInstruction(0, input.spec.type));
  program.instructions.push_back(UnaryInstruction(arguments, *kernel::FindUnary(name), input.spec.type));
  program.instructions.back().parameters = parameters;
  return PlanBlockProgram(arguments, std::move(program), {input}, input.spec.python_scalar);
}

OperationPlan PlanLogit(const Arguments& arguments) {
  return PlanParameters(arguments, "logit", {arguments.Has("eps") ? arguments.Float("eps") : -1, 0, 0});
}

OperationPlan PlanNanToNum(const Arguments& arguments) {
  const RuntimeDataType type = arguments.Tensor("input").spec.type;
  if (!IsFloating(type)) return PlanFormula(arguments, "0 positive", {arguments.Tensor("input")});
  const double largest =
      type == RuntimeDataType::kTypeFloat64 ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const auto number = [&](const char* name, double otherwise) {
    return arguments.Has(name) ? arguments.Float(name) : otherwise;
  };
  return PlanParameters(arguments, "nan_to_num",
                        {number("nan", 0), number("posinf", largest), number("neginf", -largest)});
}

OperationPlan PlanOrder(const Arguments& arguments) {
  const std::string name = BareName(arguments.who().type) == "polygamma" ? "polygamma" : "mvlgamma";
  const int64_t order = arguments.Int(name == "polygamma" ? "n" : "p");
  arguments.Require(order >= (name == "polygamma" ? 0 : 1) && order < 100, "the order is " + std::to_string(order));
  return PlanParameters(arguments, name, {static_cast<double>(order), 0, 0});
}

OperationPlan PlanIsclose(const Arguments& arguments) {
  std::string formula = "0 1 eq 0 1 sub abs isfinite 0 1 sub abs 3 2 1 abs mul add le and or";
  if (arguments.Bool("equal_nan")) formula += " 0 isnan 1 isnan and or";
  return PlanFormula(
      arguments, formula,
      {arguments.Tensor("input"), arguments.Tensor("other"), arguments.Tensor("rtol"), arguments.Tensor("atol")});
}

/// The power in double, whatever the operands are.
OperationPlan PlanFloatPower(const Arguments& arguments) {
  const std::vector<TensorArgument> operands = {arguments.Tensor("input"), arguments.Tensor("exponent")};
  kernel::BlockProgram program;
  program.instructions = {InputInstruction(0, operands[0].spec.type), InputInstruction(1, operands[1].spec.type),
                          BinaryInstruction(arguments, *kernel::FindBinary("pow"), RuntimeDataType::kTypeFloat64)};
  return PlanBlockProgram(arguments, std::move(program), operands);
}

/// Real numbers are their own conjugates.
OperationPlan PlanConjugate(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  if (IsComplex(input.spec.type)) return PlanFormula(arguments, "0 conj", {input});
  OperationPlan plan;
  plan.outputs = {OutputPlan::Forward(arguments.Get("input"))};
  return plan;
}

OperationPlan PlanDivide(const Arguments& arguments) {
  const std::string mode = arguments.Has("rounding_mode") ? arguments.String("rounding_mode") : "";
  arguments.Require(mode.empty() || mode == "floor" || mode == "trunc",
                    "rounding_mode is '" + mode + "', expected floor or trunc");
  const char* formula =
      mode.empty() ? "0 1 div" : (mode == "floor" ? "0 1 floor_divide" : "0 0 1 fmod sub 1 div trunc");
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& other = arguments.Tensor("other");
  if (mode == "trunc" && !IsFloating(input.spec.type) && !IsFloating(other.spec.type)) {
    formula = "0 0 1 fmod sub 1 floor_divide";
  }
  return PlanFormula(arguments, formula, {input, other});
}

}  // namespace

void RegisterPointwise(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  for (const Formula& formula : Formulas()) {
    for (const std::string& name : formula.names) {
      table.Add({"torch." + name, "aten::" + name}, formula.schema, PlanNamedFormula, strided);
    }
  }
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
  table.Add({"torch.logit", "aten::logit", "aten::special_logit"}, "Tensor input|self, float? eps=None", PlanLogit,
            strided);
  table.Add({"torch.nan_to_num", "aten::nan_to_num"},
            "Tensor input|self, float? nan=None, float? posinf=None, float? neginf=None", PlanNanToNum, strided);
  table.Add({"torch.polygamma", "aten::polygamma", "aten::special_polygamma"}, "int n, Tensor input|self", PlanOrder,
            strided);
  table.Add({"torch.mvlgamma", "aten::mvlgamma", "aten::special_multigammaln"}, "Tensor input|self, int p", PlanOrder,
            strided);
  table.Add({"torch.isclose", "aten::isclose"},
            "Tensor input|self, Tensor other, Tensor rtol=1e-05, Tensor atol=1e-08, bool equal_nan=False", PlanIsclose,
            strided);
  table.Add({"torch.float_power", "aten::float_power"}, "Tensor input|self, Tensor exponent", PlanFloatPower, strided);
  table.Add({"torch.div", "aten::div", "torch.divide", "aten::divide"},
            "Tensor input|self, Tensor other, str? rounding_mode=None", PlanDivide, strided);
  table.Add({"torch.conj", "aten::conj", "aten::_conj", "aten::conj_physical"}, "Tensor input|self", PlanConjugate,
            strided);
  table.Add({"torch.pow", "aten::pow"}, "Tensor input|self, Tensor exponent", PlanByName, strided);
}

}  // namespace kuiper_infer

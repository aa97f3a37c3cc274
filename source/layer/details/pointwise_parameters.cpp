// SPDX-License-Identifier: MIT
#include <limits>

#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"
#include "layer/details/formula.hpp"

namespace kuiper_infer {
namespace {

/// A function of one array with parameters of its own.
OperationPlan PlanParameters(const Arguments& arguments, const std::string& name, std::array<double, 3> parameters) {
  const TensorArgument& input = arguments.Tensor("input");
  kernel::BlockProgram program;
  program.instructions.push_back(InputInstruction(0, input.spec.type));
  program.instructions.push_back(UnaryInstruction(arguments, *kernel::FindUnary(name), input.spec.type));
  program.instructions.back().parameters = parameters;
  return PlanBlockProgram(std::move(program), {input}, input.spec.python_scalar);
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
  const std::string name = arguments.schema().Find("n") >= 0 ? "polygamma" : "mvlgamma";
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
  return PlanBlockProgram(std::move(program), operands);
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

/// scale * x above 0, scale * alpha * (exp(input_scale * x) - 1) below.
OperationPlan PlanElu(const Arguments& arguments) {
  return PlanFormula(arguments, "0 #0 maximum 2 mul 0 #0 minimum 3 mul expm1 1 mul 2 mul add",
                     {arguments.Tensor("input"), arguments.Tensor("alpha"), arguments.Tensor("scale"),
                      arguments.Tensor("input_scale")});
}

}  // namespace

void RegisterPointwiseParameters(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
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
  table.Add({"aten::elu"}, "Tensor input|self, Tensor alpha=1, Tensor scale=1, Tensor input_scale=1", PlanElu, strided);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "layer/abstract/operation_list.hpp"
#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"

namespace kuiper_infer {
namespace {

/// The part of a type string after the last '.' or ':', in the table's spelling: nn.LeakyReLU -> leaky_relu.
std::string FunctionName(const std::string& type) {
  static const std::map<std::string, std::string> kModules = {
      {"nn.ReLU", "relu"},
      {"nn.ReLU6", "relu6"},
      {"nn.SiLU", "silu"},
      {"nn.Sigmoid", "sigmoid"},
      {"nn.Hardsigmoid", "hardsigmoid"},
      {"nn.Hardswish", "hardswish"},
      {"nn.Tanh", "tanh"},
      {"nn.GELU", "gelu"},
      {"nn.ELU", "elu"},
      {"nn.CELU", "celu"},
      {"nn.SELU", "selu"},
      {"nn.LeakyReLU", "leaky_relu"},
      {"nn.Hardtanh", "clamp"},
      {"nn.Hardshrink", "hardshrink"},
      {"nn.Softshrink", "softshrink"},
      {"nn.Softplus", "softplus"},
      {"nn.Softsign", "softsign"},
      {"nn.Tanhshrink", "tanhshrink"},
      {"nn.LogSigmoid", "logsigmoid"},
      {"nn.Mish", "mish"},
      {"nn.Threshold", "threshold"},
      {"nn.RReLU", "leaky_relu"},
      {"F.rrelu", "leaky_relu"},
      {"F.hardtanh", "clamp"},
      {"aten::hardtanh", "clamp"},
      {"aten::log_sigmoid", "logsigmoid"},
      {"torch.bitwise_not", "bitwise_not"},
  };
  if (const auto module = kModules.find(type); module != kModules.end()) return module->second;
  return type.substr(type.find_last_of(".:") + 1);
}

/// One function on one array; `p` are its parameters.
OperationPlan PlanFunction(const Arguments& arguments, const std::string& name, double p0 = 0, double p1 = 0) {
  const TensorArgument& input = arguments.Tensor("input");
  kernel::BlockProgram program;
  program.instructions.push_back(InputInstruction(0, input.spec.type));
  program.instructions.push_back(UnaryInstruction(arguments, *kernel::FindUnary(name), input.spec.type));
  program.instructions.back().parameters = {p0, p1, 0};
  return PlanBlockProgram(std::move(program), {input}, input.spec.python_scalar);
}

OperationPlan PlanSimple(const Arguments& arguments) { return PlanFunction(arguments, FunctionName(arguments.type())); }

OperationPlan PlanGelu(const Arguments& arguments) {
  const std::string approximate = arguments.String("approximate");
  arguments.Require(approximate == "none" || approximate == "tanh",
                    "approximate is '" + approximate + "', expected none or tanh");
  return PlanFunction(arguments, approximate == "tanh" ? "gelu_tanh" : "gelu");
}

OperationPlan PlanOneParameter(const Arguments& arguments) {
  return PlanFunction(arguments, FunctionName(arguments.type()),
                      arguments.Float(arguments.schema().arguments()[1].name));
}

OperationPlan PlanTwoParameters(const Arguments& arguments) {
  const auto& schema = arguments.schema().arguments();
  return PlanFunction(arguments, FunctionName(arguments.type()), arguments.Float(schema[1].name),
                      arguments.Float(schema[2].name));
}

/// At inference the slope is the middle of its range.
OperationPlan PlanRrelu(const Arguments& arguments) {
  return PlanFunction(arguments, "leaky_relu", (arguments.Float("lower") + arguments.Float("upper")) / 2);
}

std::vector<std::string> Spellings(const std::vector<std::string>& names, const std::vector<std::string>& prefixes) {
  std::vector<std::string> types;
  for (const std::string& name : names) {
    for (const std::string& prefix : prefixes) types.push_back(prefix + name);
  }
  return types;
}

}  // namespace

void RegisterActivation(OperationTable& table) {
  const auto add = [&table](const std::vector<std::string>& types, const std::string& schema,
                            kuiper_infer::PlanFunction plan) { table.Add(types, schema, plan, InputLayout::kStrided); };
  const std::string input = "Tensor input|self";
  add({"nn.ReLU", "nn.ReLU6", "nn.SiLU", "nn.Sigmoid", "nn.Hardsigmoid", "nn.Hardswish", "nn.Tanh", "nn.SELU",
       "nn.Softsign", "nn.Tanhshrink", "nn.LogSigmoid", "nn.Mish"},
      input, PlanSimple);
  add(Spellings({"relu", "relu6", "silu", "sigmoid", "hardsigmoid", "hardswish", "tanh", "selu", "mish"},
                {"F.", "torch.", "aten::"}),
      input, PlanSimple);
  add({"F.softsign", "F.tanhshrink", "F.logsigmoid", "aten::log_sigmoid"}, input, PlanSimple);
  // Inside models most of these are expressions; the plain spellings occur in older and raw files.
  add(Spellings({"abs",   "acos",  "acosh", "asin",   "asinh",  "atan",     "atanh",      "ceil",        "cos",
                 "cosh",  "erf",   "erfc",  "exp",    "exp2",   "expm1",    "floor",      "frac",        "log",
                 "log10", "log1p", "log2",  "lgamma", "neg",    "positive", "reciprocal", "round",       "rsqrt",
                 "sign",  "sin",   "sinh",  "sqrt",   "square", "tan",      "trunc",      "logical_not", "bitwise_not"},
                {"torch.", "aten::"}),
      input, PlanSimple);
  add({"nn.GELU", "F.gelu", "aten::gelu"}, input + ", str approximate=none", PlanGelu);
  add({"nn.LeakyReLU", "F.leaky_relu", "aten::leaky_relu"}, input + ", float negative_slope=0.01", PlanOneParameter);
  add({"nn.ELU", "F.elu", "nn.CELU", "F.celu", "aten::celu"}, input + ", float alpha=1.0", PlanOneParameter);
  add({"nn.Hardshrink", "F.hardshrink", "nn.Softshrink", "F.softshrink", "aten::hardshrink", "aten::softshrink"},
      input + ", float lambd=0.5", PlanOneParameter);
  add({"nn.Softplus", "F.softplus", "aten::softplus"}, input + ", float beta=1, float threshold=20", PlanTwoParameters);
  add({"nn.Hardtanh", "F.hardtanh", "aten::hardtanh"}, input + ", float min_val=-1, float max_val=1",
      PlanTwoParameters);
  add({"nn.Threshold", "F.threshold", "aten::threshold"}, input + ", float threshold, float value", PlanTwoParameters);
  add({"nn.RReLU", "F.rrelu"}, input + ", float lower=0.125, float upper=0.3333333333333333", PlanRrelu);
}

}  // namespace kuiper_infer

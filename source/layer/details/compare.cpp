// SPDX-License-Identifier: MIT
#include "layer/abstract/operation_list.hpp"
#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// torch.NAME(input, other) by the table's NAME; either side may be a number.
OperationPlan PlanBinary(const Arguments& arguments, const std::string& name) {
  const TensorArgument& left = arguments.Tensor("input");
  const TensorArgument& right = arguments.Tensor("other");
  kernel::BlockProgram program;
  program.instructions.push_back(InputInstruction(0, left.spec.type));
  program.instructions.push_back(InputInstruction(1, right.spec.type));
  program.instructions.push_back(
      BinaryInstruction(arguments, *kernel::FindBinary(name), Promote(left.spec, right.spec)));
  return PlanBlockProgram(std::move(program), {left, right}, left.spec.python_scalar && right.spec.python_scalar);
}

OperationPlan PlanByName(const Arguments& arguments) {
  const std::string& type = arguments.type();
  return PlanBinary(arguments, type.substr(type.find_last_of(".:") + 1));
}

OperationPlan PlanBitwise(const Arguments& arguments) {
  static const std::map<std::string, std::string> kNames = {{"bitwise_and", "and"},
                                                            {"bitwise_or", "or"},
                                                            {"bitwise_xor", "xor"},
                                                            {"bitwise_left_shift", "lshift"},
                                                            {"bitwise_right_shift", "rshift"}};
  const std::string& type = arguments.type();
  return PlanBinary(arguments, kNames.at(type.substr(type.find_last_of(".:") + 1)));
}

/// Bounds that are absent do not bound; a bound may be an array.
OperationPlan PlanClamp(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  std::vector<TensorArgument> operands = {input};
  kernel::BlockProgram program;
  program.instructions.push_back(InputInstruction(0, input.spec.type));
  TensorSpec spec = input.spec;
  const auto bound = [&](const char* name, const char* function) {
    if (arguments.schema().Find(name) < 0) return;
    const TensorArgument* other = arguments.OptionalTensor(name);
    if (other == nullptr) return;
    program.instructions.push_back(InputInstruction(static_cast<int>(operands.size()), other->spec.type));
    operands.push_back(*other);
    spec.type = Promote(spec, other->spec);
    program.instructions.push_back(BinaryInstruction(arguments, *kernel::FindBinary(function), spec.type));
  };
  bound("min", "maximum");
  bound("max", "minimum");
  return PlanBlockProgram(std::move(program), operands);
}

}  // namespace

void RegisterCompare(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor other";
  for (const char* name : {"eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor", "maximum",
                           "minimum", "fmod", "remainder", "floor_divide", "atan2", "logaddexp", "mul"}) {
    table.Add({std::string("torch.") + name, std::string("aten::") + name}, pair, PlanByName, InputLayout::kStrided);
  }
  for (const char* name : {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"}) {
    table.Add({std::string("torch.") + name, std::string("aten::") + name}, pair, PlanBitwise, InputLayout::kStrided);
  }
  table.Add({"torch.clamp", "aten::clamp", "aten::clip"}, "Tensor input|self, Tensor? min=None, Tensor? max=None",
            PlanClamp, InputLayout::kStrided);
  table.Add({"aten::clamp_min"}, "Tensor input|self, Tensor min", PlanClamp, InputLayout::kStrided);
  table.Add({"aten::clamp_max"}, "Tensor input|self, Tensor max", PlanClamp, InputLayout::kStrided);
}

}  // namespace kuiper_infer

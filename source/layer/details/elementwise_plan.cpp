// SPDX-License-Identifier: MIT
#include "layer/details/elementwise_plan.hpp"

#include <algorithm>
#include <array>

#include "shape/broadcast.hpp"
#include "shape/layout.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

using kernel::BlockInstruction;
using kernel::ResultKind;

/// Completes an instruction for a function's result kind.
template <class Function>
void SetTypes(const Arguments& arguments, const Function& function, RuntimeDataType type,
              BlockInstruction& instruction) {
  const bool floating = function.result == ResultKind::kFloating;
  instruction.type = floating ? FloatingResult(type) : type;
  instruction.result = function.result == ResultKind::kBool ? RuntimeDataType::kTypeBool : instruction.type;
  const bool integral = kernel::ComputeTypeOf(instruction.type) == kernel::ComputeType::kInt;
  if (function.result == ResultKind::kReal) {
    instruction.result =
        type == RuntimeDataType::kTypeComplex128 ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeFloat32;
  }
  const bool known =
      IsComplex(type) ? function.c128 != nullptr : (integral ? function.i64 != nullptr : function.f32 != nullptr);
  if (!known) arguments.Fail(ErrorCode::kUnsupported, std::string(function.name) + " does not take " + TypeName(type));
}

int StackDepth(const std::vector<BlockInstruction>& instructions) {
  int depth = 0;
  int deepest = 0;
  for (const BlockInstruction& instruction : instructions) {
    const bool push =
        instruction.kind == BlockInstruction::Kind::kInput || instruction.kind == BlockInstruction::Kind::kConstant;
    depth += push ? 1 : (instruction.kind == BlockInstruction::Kind::kBinary ? -1 : 0);
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// Writes numbers that are known by now into the program, in the type that the instruction behind them computes in:
/// they need not be read and converted for every block.
void InlineNumbers(const std::vector<TensorArgument>& operands, std::vector<BlockInstruction>& instructions) {
  for (std::size_t i = 0; i + 1 < instructions.size(); ++i) {
    BlockInstruction& instruction = instructions[i];
    const BlockInstruction& next = instructions[i + 1];
    if (next.kind != BlockInstruction::Kind::kBinary || !IsFloating(next.type)) continue;
    if (instruction.kind == BlockInstruction::Kind::kInput) {
      const std::optional<double> number = operands[static_cast<std::size_t>(instruction.input)].known_number();
      if (!number) continue;
      instruction.kind = BlockInstruction::Kind::kConstant;
      instruction.constant = *number;
    } else if (instruction.kind != BlockInstruction::Kind::kConstant) {
      continue;
    } else if (!IsFloating(instruction.type)) {
      instruction.constant = static_cast<double>(instruction.integer);
    }
    instruction.type = instruction.result = next.type;
  }
}

/// Powers with these exponents are functions of their own, as in PyTorch, and much faster.
const kernel::UnaryFunction* FindPower(double exponent) {
  if (exponent == 2) return kernel::FindUnary("square");
  if (exponent == 3) return kernel::FindUnary("cube");
  if (exponent == 0.5) return kernel::FindUnary("sqrt");
  if (exponent == -0.5) return kernel::FindUnary("rsqrt");
  return exponent == -1 ? kernel::FindUnary("reciprocal") : nullptr;
}

void SimplifyPowers(std::vector<BlockInstruction>& instructions) {
  const kernel::BinaryFunction* pow = kernel::FindBinary("pow");
  for (std::size_t i = 1; i < instructions.size(); ++i) {
    const BlockInstruction& exponent = instructions[i - 1];
    const BlockInstruction& power = instructions[i];
    const bool fits = power.kind == BlockInstruction::Kind::kBinary && power.binary == pow && IsFloating(power.type) &&
                      exponent.kind == BlockInstruction::Kind::kConstant && exponent.type == power.type;
    const kernel::UnaryFunction* function = fits ? FindPower(exponent.constant) : nullptr;
    if (function == nullptr) continue;
    BlockInstruction simple = power;
    simple.kind = BlockInstruction::Kind::kUnary;
    simple.binary = nullptr;
    simple.unary = function;
    instructions[i - 1] = simple;
    instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// A program of one function of one array.
kernel::Activation AsActivation(const kernel::BlockProgram& program, const std::vector<TensorArgument>& operands,
                                const TensorSpec& result) {
  const auto& instructions = program.instructions;
  const bool single = operands.size() == 1 && instructions.size() == 2 && IsFloating(result.type) &&
                      instructions[0].kind == BlockInstruction::Kind::kInput &&
                      instructions[1].kind == BlockInstruction::Kind::kUnary &&
                      operands.front().spec.type == result.type && instructions[1].type == result.type;
  if (!single) return {};
  return {instructions[1].unary, instructions[1].parameters};
}

/// Whether a program is one function of two float arrays.
bool IsBinary(const kernel::BlockProgram& program, const std::vector<TensorArgument>& operands, const char* function) {
  const auto& instructions = program.instructions;
  const bool two =
      operands.size() == 2 && instructions.size() == 3 && instructions[0].kind == BlockInstruction::Kind::kInput &&
      instructions[1].kind == BlockInstruction::Kind::kInput && instructions[0].input != instructions[1].input &&
      instructions[2].kind == BlockInstruction::Kind::kBinary && instructions[2].binary == kernel::FindBinary(function);
  return two && std::all_of(operands.begin(), operands.end(), [](const TensorArgument& operand) {
           return operand.spec.type == RuntimeDataType::kTypeFloat32;
         });
}

/// Whether a program is the sum of two arrays as large as the result.
bool IsSum(const kernel::BlockProgram& program, const std::vector<TensorArgument>& operands, const TensorSpec& result) {
  return IsBinary(program, operands, "add") && operands[0].spec.shape == result.shape &&
         operands[1].spec.shape == result.shape;
}

OperationPlan::Product AsProduct(const kernel::BlockProgram& program, const std::vector<TensorArgument>& operands,
                                 const TensorSpec& result) {
  if (!IsBinary(program, operands, "mul")) return {};
  const auto fits = [&](const TensorArgument& array, const TensorArgument& factor) {
    return array.spec.shape == result.shape && array.spec.strides == result.strides &&
           factor.spec.rank() == result.rank() && factor.spec.shape != result.shape;
  };
  if (fits(operands[0], operands[1])) return {operands[0].input, operands[1].input};
  if (fits(operands[1], operands[0])) return {operands[1].input, operands[0].input};
  return {};
}

/// The layout of the result: that of the operands which are as large, so that chains of operators keep the layout of
/// the convolution before them.
AxisOrder ChooseOrder(const std::vector<TensorArgument>& operands, const Shape& shape) {
  std::vector<TensorSpec> large;
  for (const TensorArgument& operand : operands) {
    if (operand.spec.shape == shape) large.push_back(operand.spec);
  }
  return large.empty() ? RowMajorOrder(static_cast<int64_t>(shape.size())) : CommonOrder(large);
}

/// More are possible, but their addresses are put on the heap in each run.
constexpr std::size_t kUsualOperands = 16;

/// `program` is of the shape that the operands broadcast to.
OperationPlan PlanForShape(kernel::BlockProgram program, const std::vector<TensorArgument>& operands,
                           const Shape& shape, bool python_scalar) {
  const AxisOrder order = ChooseOrder(operands, shape);
  std::vector<int> inputs;
  std::vector<TensorSpec> specs;  // axes in the result's order
  for (const TensorArgument& operand : operands) {
    inputs.push_back(operand.input);
    const TensorSpec repeated(operand.spec.type, shape, BroadcastStrides(operand.spec, shape));
    specs.push_back(PermuteAxes(repeated, order));
  }
  InlineNumbers(operands, program.instructions);
  SimplifyPowers(program.instructions);
  program.stack_depth = StackDepth(program.instructions);
  TensorSpec result = OrderedSpec(program.instructions.back().result, shape, order);
  result.python_scalar = python_scalar;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(result)};
  plan.activation = AsActivation(program, operands, result);
  plan.adds_inputs = IsSum(program, operands, result);
  plan.product = AsProduct(program, operands, result);
  plan.elementwise = std::make_shared<const Elementwise>(Elementwise{program, operands, result});
  plan.run = [inputs, prepared = kernel::PrepareProgram(std::move(program), specs, PermuteAxes(result, order))](
                 const RunContext& c) {
    std::array<const void*, kUsualOperands> few;
    std::vector<const void*> many(inputs.size() > kUsualOperands ? inputs.size() : 0);
    const void** data = many.empty() ? few.data() : many.data();
    for (std::size_t i = 0; i < inputs.size(); ++i) data[i] = c.inputs[inputs[i]].data;
    kernel::RunProgram(prepared, data, c.outputs[0].data);
  };
  return plan;
}

}  // namespace

OperationPlan PlanBlockProgram(const Arguments& arguments, kernel::BlockProgram program,
                               const std::vector<TensorArgument>& operands, bool python_scalar) {
  Shape shape;
  for (const TensorArgument& operand : operands) {
    try {
      shape = BroadcastShapes(shape, operand.spec.shape);
    } catch (const Error& error) {
      arguments.Fail(error.what());
    }
  }
  return PlanForShape(std::move(program), operands, shape, python_scalar);
}

std::optional<OperationPlan> JoinElementwise(const Elementwise& first, int first_inputs, const Elementwise& second,
                                             int input) {
  constexpr std::size_t kManyInstructions = 64;  // and each joining copies them all
  const bool joins = first.result.shape == second.result.shape && IsFloating(first.result.type) &&
                     first.program.instructions.size() < kManyInstructions;
  if (!joins) return std::nullopt;
  kernel::BlockProgram program;
  std::vector<TensorArgument> operands = first.operands;
  int joints = 0;
  for (BlockInstruction instruction : second.program.instructions) {
    if (instruction.kind != BlockInstruction::Kind::kInput) {
      program.instructions.push_back(instruction);
      continue;
    }
    TensorArgument operand = second.operands[static_cast<std::size_t>(instruction.input)];
    if (operand.input == input) {
      const auto& before = first.program.instructions;
      program.instructions.insert(program.instructions.end(), before.begin(), before.end());
      ++joints;
      continue;
    }
    operand.input += first_inputs - (operand.input > input ? 1 : 0);
    instruction.input = static_cast<int>(operands.size());
    operands.push_back(operand);
    program.instructions.push_back(instruction);
  }
  const bool fits = StackDepth(program.instructions) <= kernel::BlockProgram::kUsualDepth;
  if (joints != 1 || !fits || operands.size() > kUsualOperands) return std::nullopt;
  return PlanForShape(std::move(program), operands, second.result.shape, second.result.python_scalar);
}

BlockInstruction UnaryInstruction(const Arguments& arguments, const kernel::UnaryFunction& function,
                                  RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kUnary;
  // The complement of a bool is its negation; the kernel's wide integers would leave all bits but the last set.
  const bool complement = type == RuntimeDataType::kTypeBool && &function == kernel::FindUnary("bitwise_not");
  const kernel::UnaryFunction* complex = IsComplex(type) ? kernel::FindComplexUnary(function.name) : nullptr;
  instruction.unary = complex != nullptr ? complex : (complement ? kernel::FindUnary("logical_not") : &function);
  SetTypes(arguments, complex != nullptr ? *complex : function, type, instruction);
  return instruction;
}

BlockInstruction BinaryInstruction(const Arguments& arguments, const kernel::BinaryFunction& function,
                                   RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kBinary;
  const kernel::BinaryFunction* complex = IsComplex(type) ? kernel::FindComplexBinary(function.name) : nullptr;
  instruction.binary = complex != nullptr ? complex : &function;
  SetTypes(arguments, *instruction.binary, type, instruction);
  return instruction;
}

BlockInstruction InputInstruction(int index, RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kInput;
  instruction.input = index;
  instruction.type = instruction.result = type;
  return instruction;
}

BlockInstruction ConstantInstruction(const Value& number) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kConstant;
  const bool real = number.Is<double>();
  instruction.type = instruction.result = real                ? RuntimeDataType::kTypeFloat64
                                          : number.Is<bool>() ? RuntimeDataType::kTypeBool
                                                              : RuntimeDataType::kTypeInt64;
  if (real) {
    instruction.constant = number.Get<double>();
  } else {
    instruction.integer = number.Is<bool>() ? static_cast<int64_t>(number.Get<bool>()) : number.Get<int64_t>();
  }
  return instruction;
}

}  // namespace kuiper_infer

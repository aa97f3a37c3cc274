// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_program.hpp"

#include <algorithm>

#include "operators/elementwise/scalar_math.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {

using kernel::BlockInstruction;
using kernel::ResultKind;

namespace {

/// Completes an instruction for a function's result kind.
template <class Function>
void SetTypes(const Function& function, RuntimeDataType type, BlockInstruction& instruction) {
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
  if (!known) throw Error(ErrorCode::kUnsupported, std::string(function.name) + " does not take " + TypeName(type));
}

/// Powers with these exponents are functions of their own, as in PyTorch, and much faster.
const kernel::UnaryFunction* FindPower(double exponent) {
  if (exponent == 2) return kernel::FindUnary("square");
  if (exponent == 3) return kernel::FindUnary("cube");
  if (exponent == 0.5) return kernel::FindUnary("sqrt");
  if (exponent == -0.5) return kernel::FindUnary("rsqrt");
  return exponent == -1 ? kernel::FindUnary("reciprocal") : nullptr;
}

}  // namespace

BlockInstruction UnaryInstruction(const kernel::UnaryFunction& function, RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kUnary;
  // The complement of a bool is its negation; the kernel's wide integers would leave all bits but the last set.
  const bool complement = type == RuntimeDataType::kTypeBool && &function == kernel::FindUnary("bitwise_not");
  const kernel::UnaryFunction* complex = IsComplex(type) ? kernel::FindComplexUnary(function.name) : nullptr;
  instruction.unary = complex != nullptr ? complex : (complement ? kernel::FindUnary("logical_not") : &function);
  const bool counts = type == RuntimeDataType::kTypeBool && &function == kernel::FindUnary("square");
  SetTypes(complex != nullptr ? *complex : function, counts ? RuntimeDataType::kTypeInt64 : type, instruction);
  return instruction;
}

BlockInstruction BinaryInstruction(const kernel::BinaryFunction& function, RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kBinary;
  const kernel::BinaryFunction* complex = IsComplex(type) ? kernel::FindComplexBinary(function.name) : nullptr;
  instruction.binary = complex != nullptr ? complex : &function;
  SetTypes(*instruction.binary, type, instruction);
  return instruction;
}

BlockInstruction InputInstruction(int index, RuntimeDataType type) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kInput;
  instruction.input = index;
  instruction.type = instruction.result = type;
  return instruction;
}

BlockInstruction ConstantInstruction(const Value& number, RuntimeDataType wanted) {
  BlockInstruction instruction;
  instruction.kind = BlockInstruction::Kind::kConstant;
  instruction.type = instruction.result = ArrayFromNumber(number).type();
  if (IsFloating(wanted) && !IsComplex(instruction.type)) {
    instruction.constant = AsReal(number);
    instruction.type = instruction.result = wanted;
  } else if (number.Is<std::complex<double>>()) {
    instruction.constant = number.Get<std::complex<double>>();
  } else if (number.Is<double>()) {
    instruction.constant = number.Get<double>();
  } else {
    instruction.integer = number.Is<bool>() ? static_cast<int64_t>(number.Get<bool>()) : number.Get<int64_t>();
  }
  return instruction;
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

void InlineNumbers(const std::vector<TensorArgument>& operands, std::vector<BlockInstruction>& instructions) {
  for (std::size_t i = 0; i + 1 < instructions.size(); ++i) {
    BlockInstruction& instruction = instructions[i];
    const BlockInstruction& next = instructions[i + 1];
    const bool operand = instruction.kind == BlockInstruction::Kind::kInput &&
                         next.kind == BlockInstruction::Kind::kBinary && IsFloating(next.type);
    if (!operand) continue;
    const std::optional<double> number = operands[static_cast<std::size_t>(instruction.input)].known_number();
    if (!number) continue;
    instruction.kind = BlockInstruction::Kind::kConstant;
    instruction.constant = *number;
    instruction.type = instruction.result = next.type;
  }
}

void SimplifyPowers(std::vector<BlockInstruction>& instructions) {
  const kernel::BinaryFunction* pow = kernel::FindBinary("pow");
  for (std::size_t i = 1; i < instructions.size(); ++i) {
    const BlockInstruction& exponent = instructions[i - 1];
    const BlockInstruction& power = instructions[i];
    const bool fits = power.kind == BlockInstruction::Kind::kBinary && power.binary == pow && IsFloating(power.type) &&
                      exponent.kind == BlockInstruction::Kind::kConstant && exponent.type == power.type;
    const kernel::UnaryFunction* function = fits ? FindPower(exponent.constant.real()) : nullptr;
    if (function == nullptr) continue;
    BlockInstruction simple = power;
    simple.kind = BlockInstruction::Kind::kUnary;
    simple.binary = nullptr;
    simple.unary = function;
    instructions[i - 1] = simple;
    instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace kuiper_infer

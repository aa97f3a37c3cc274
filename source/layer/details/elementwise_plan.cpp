// SPDX-License-Identifier: MIT
#include "layer/details/elementwise_plan.hpp"

#include <algorithm>
#include <array>

#include "layer/details/elementwise_program.hpp"
#include "shape/broadcast.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

using kernel::BlockInstruction;

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

OperationPlan PlanBlockProgram(kernel::BlockProgram program, const std::vector<TensorArgument>& operands,
                               bool python_scalar) {
  Shape shape;
  for (const TensorArgument& operand : operands) {
    shape = BroadcastShapes(shape, operand.spec.shape);
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

}  // namespace kuiper_infer

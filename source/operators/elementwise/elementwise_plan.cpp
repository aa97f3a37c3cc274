// SPDX-License-Identifier: MIT
#include "operators/elementwise/elementwise_plan.hpp"

#include <algorithm>

#include "operators/elementwise/elementwise_program.hpp"
#include "shape/broadcast.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

using kernel::BlockInstruction;

/// The layout of the result: the layout of the operands of the same shape, so that chains of operators keep the layout
/// of the convolution before them.
AxisOrder ChooseOrder(const std::vector<TensorArgument>& operands, const Shape& shape) {
  std::vector<TensorSpec> large;
  for (const TensorArgument& operand : operands) {
    if (operand.spec.shape == shape) large.push_back(operand.spec);
  }
  return large.empty() ? RowMajorOrder(static_cast<int64_t>(shape.size())) : CommonOrder(large);
}

}  // namespace

Elementwise::Elementwise(kernel::BlockProgram program, std::vector<TensorArgument> operands, TensorSpec result)
    : program_(std::move(program)), operands_(std::move(operands)), result_(std::move(result)) {
  program_.stack_depth = StackDepth(program_.instructions);
}

kernel::Activation Elementwise::AsActivation() const {
  const auto& instructions = program_.instructions;
  const bool single = operands_.size() == 1 && instructions.size() == 2 && IsFloating(result_.type) &&
                      instructions[0].kind == BlockInstruction::Kind::kInput &&
                      instructions[1].kind == BlockInstruction::Kind::kUnary &&
                      operands_.front().spec.type == result_.type && instructions[1].type == result_.type;
  if (!single) return {};
  return {instructions[1].unary, instructions[1].parameters};
}

bool Elementwise::IsBinary(const char* function) const {
  const auto& instructions = program_.instructions;
  const bool two =
      operands_.size() == 2 && instructions.size() == 3 && instructions[0].kind == BlockInstruction::Kind::kInput &&
      instructions[1].kind == BlockInstruction::Kind::kInput && instructions[0].input != instructions[1].input &&
      instructions[2].kind == BlockInstruction::Kind::kBinary && instructions[2].binary == kernel::FindBinary(function);
  return two && std::all_of(operands_.begin(), operands_.end(), [](const TensorArgument& operand) {
           return operand.spec.type == RuntimeDataType::kTypeFloat32;
         });
}

bool Elementwise::IsSum() const {
  return IsBinary("add") && std::min(operands_[0].input, operands_[1].input) == 0 &&
         std::max(operands_[0].input, operands_[1].input) == 1 && operands_[0].spec.shape == result_.shape &&
         operands_[1].spec.shape == result_.shape;
}

bool Elementwise::ReadsAsItLies(int input, const TensorSpec& spec) const {
  return std::all_of(operands_.begin(), operands_.end(), [&](const TensorArgument& operand) {
    return operand.input != input || (operand.spec.shape == spec.shape && operand.spec.strides == spec.strides);
  });
}

Elementwise::Product Elementwise::AsProduct() const {
  if (!IsBinary("mul")) return {};
  const auto fits = [&](const TensorArgument& array, const TensorArgument& factor) {
    return array.spec.shape == result_.shape && array.spec.strides == result_.strides &&
           factor.spec.rank() == result_.rank() && factor.spec.shape != result_.shape;
  };
  if (fits(operands_[0], operands_[1])) return {operands_[0].input, operands_[1].input};
  if (fits(operands_[1], operands_[0])) return {operands_[1].input, operands_[0].input};
  return {};
}

std::shared_ptr<const Elementwise> Elementwise::Before(int first_inputs, const Elementwise& second, int input) const {
  // Each fusion copies all instructions. Without a limit, planning a long chain would take quadratic time.
  constexpr std::size_t kManyInstructions = 64;
  const auto& before = program_.instructions;
  const bool joins =
      result_.shape == second.result_.shape && IsFloating(result_.type) && before.size() < kManyInstructions;
  if (!joins) return nullptr;
  kernel::BlockProgram program;
  std::vector<TensorArgument> operands = operands_;
  int joints = 0;
  for (BlockInstruction instruction : second.program_.instructions) {
    if (instruction.kind != BlockInstruction::Kind::kInput) {
      program.instructions.push_back(instruction);
      continue;
    }
    TensorArgument operand = second.operands_[static_cast<std::size_t>(instruction.input)];
    if (operand.input == input) {
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
  if (joints != 1 || !fits || operands.size() > Elementwise::kUsualOperands) return nullptr;
  return std::make_shared<const Elementwise>(std::move(program), std::move(operands), second.result_);
}

OperationPlan PlanBlockProgram(kernel::BlockProgram program, const std::vector<TensorArgument>& operands,
                               bool python_scalar) {
  Shape shape;
  for (const TensorArgument& operand : operands) shape = BroadcastShapes(shape, operand.spec.shape);
  InlineNumbers(operands, program.instructions);
  SimplifyPowers(program.instructions);
  TensorSpec result = OrderedSpec(program.instructions.back().result, shape, ChooseOrder(operands, shape));
  result.python_scalar = python_scalar;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(result)};
  plan.computation = std::make_shared<const Elementwise>(std::move(program), operands, std::move(result));
  return plan;
}

}  // namespace kuiper_infer

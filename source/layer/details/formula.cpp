// SPDX-License-Identifier: MIT
#include "layer/details/formula.hpp"

#include <sstream>
#include <stdexcept>

#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"
#include "layer/details/scalar_math.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// What an instruction leaves: its type, and the rank and kind that promotion looks at.
TensorSpec Result(const TensorSpec& model, RuntimeDataType type) {
  TensorSpec spec = model;
  spec.type = type;
  return spec;
}

const kernel::UnaryFunction* FindUnaryFor(const std::string& name, RuntimeDataType type) {
  const kernel::UnaryFunction* complex = IsComplex(type) ? kernel::FindComplexUnary(name) : nullptr;
  return complex != nullptr ? complex : kernel::FindUnary(name);
}

}  // namespace

OperationPlan PlanFormula(const Arguments& arguments, const std::string& formula,
                          const std::vector<TensorArgument>& operands) {
  kernel::BlockProgram program;
  std::vector<TensorSpec> stack;
  std::istringstream words(formula);
  for (std::string word; words >> word;) {
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      const TensorSpec& spec = operands.at(static_cast<std::size_t>(std::stoi(word))).spec;
      program.instructions.push_back(InputInstruction(std::stoi(word), spec.type));
      stack.push_back(spec);
    } else if (word[0] == '#') {
      const Value number(std::stod(word.substr(1)));
      program.instructions.push_back(ConstantInstruction(number));
      stack.push_back(ArrayFromNumber(number).spec());
    } else if (const kernel::UnaryFunction* unary = FindUnaryFor(word, stack.back().type)) {
      program.instructions.push_back(UnaryInstruction(arguments, *unary, stack.back().type));
      stack.back() = Result(stack.back(), program.instructions.back().result);
    } else if (const kernel::BinaryFunction* binary = kernel::FindBinary(word)) {
      const TensorSpec right = stack.back();
      stack.pop_back();
      const TensorSpec left = stack.back();
      program.instructions.push_back(BinaryInstruction(arguments, *binary, Promote(left, right)));
      stack.back() = Result(left.rank() >= right.rank() ? left : right, program.instructions.back().result);
      stack.back().python_scalar = left.python_scalar && right.python_scalar;
    } else {
      throw std::logic_error("no function '" + word + "' for the formula '" + formula + "'");
    }
  }
  const bool python_scalar = stack.back().python_scalar;
  return PlanBlockProgram(std::move(program), operands, python_scalar);
}

TensorArgument ApplyFormula(Composition& composition, const std::string& formula,
                            const std::vector<TensorArgument>& operands) {
  return composition.Apply(operands, [&](const std::vector<TensorArgument>& arrays) {
    return PlanFormula(composition.outer(), formula, arrays);
  });
}

}  // namespace kuiper_infer

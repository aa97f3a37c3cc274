// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/parser/parse_expression.hpp"
#include "layer/details/elementwise_plan.hpp"
#include "layer/details/elementwise_program.hpp"

namespace kuiper_infer {

/// Evaluates an expression in reverse Polish order on what is known of its inputs: numbers are folded, arrays give a
/// block program.
class ExpressionPlanner {
 public:
  /// `arguments` (inputs, expr) must outlive this object.
  explicit ExpressionPlanner(const Arguments& arguments) : arguments_(arguments) {
    if (const Argument::List* list = arguments.Get("inputs").list()) inputs_ = *list;
  }

  /// Throws Error(kArgument) that names the operator and quotes the expression.
  OperationPlan Plan();

 private:
  /// What stands on the evaluation stack: a known value, or an array whose instructions begin at `begin` of the
  /// program.
  struct Item {
    Value known;
    bool array = false;
    std::size_t begin = 0;
    TensorSpec spec;   ///< rank 0 or not and python_scalar matter for promotion, extents do not
    int operand = -1;  ///< the input that this item is, untouched
  };

  [[noreturn]] void Fail(const std::string& text) const;
  Item Pop();
  /// An operand that is a list can only be passed on as it is.
  void RequireNoList(const Item& item) const;
  Item PopNumbers();
  void PushKnown(Value value);
  void Push(const TokenNode& node);
  void PushOperand(int index);
  /// A list within a list, or within a call: only of known values.
  void PushList(std::size_t count);
  void PushSize(bool with_axis);
  void PushCast(const std::string& type);
  void PushUnary(const kernel::UnaryFunction& function);
  void PushBinary(const kernel::BinaryFunction& function);
  /// Puts the item back with an instruction behind its own.
  void Emit(Item item, const kernel::BlockInstruction& instruction);
  TensorSpec SpecOf(const Item& item) const;
  Value RequireNumber(const Item& item) const;

  OperationPlan PlanItem(const Item& item);
  OperationPlan PlanList(std::size_t count);
  /// The plan of one computed item of a list, by its place on the stack: its instructions end where those of the next
  /// array begin.
  OperationPlan PlanPart(std::size_t index);

  const Arguments& arguments_;
  Argument::List inputs_;
  kernel::BlockProgram program_;
  std::vector<TensorArgument> operands_;
  std::vector<Item> stack_;
};

}  // namespace kuiper_infer

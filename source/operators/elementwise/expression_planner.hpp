// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/elementwise/functions.hpp"
#include "kuiper_infer/parser/parse_expression.hpp"
#include "operators/elementwise/elementwise_plan.hpp"
#include "operators/elementwise/elementwise_program.hpp"

namespace kuiper_infer {

/// Plans an expression or a formula. Parts that are computed from known numbers are folded; parts that are computed
/// from arrays become a block program.
class ExpressionPlanner {
 public:
  using Nodes = std::vector<std::shared_ptr<TokenNode>>;

  /// `inputs` are the operands by number: arrays, known values, or lists, which can only be passed on. Error messages
  /// name the expression by `kind` and `text`, which must outlive this object.
  ExpressionPlanner(const char* kind, const std::string& text, Argument::List inputs)
      : kind_(kind), text_(text), inputs_(std::move(inputs)) {}

  /// The plan of a syntax tree in reverse Polish order. Throws Error(kArgument).
  OperationPlan Plan(const Nodes& nodes);

 private:
  /// An item of the evaluation stack: a known value, or an array whose instructions begin at index `begin` of the
  /// program.
  struct Item {
    Value known;
    bool array = false;
    std::size_t begin = 0;
    TensorSpec spec;   ///< without strides, for type promotion
    int operand = -1;  ///< the number of the operand, if the item is an operand itself
  };

  [[noreturn]] void Fail(const std::string& text) const;
  void Push(const TokenNode& node);
  /// The plan of the item at a place of the stack.
  OperationPlan PlanItem(std::size_t index);
  /// The plan of an item that is computed: its instructions end where those of the next array begin.
  OperationPlan PlanProgram(std::size_t index);
  OperationPlan PlanList(std::size_t count);

  // Operands, numbers and lists: expression_operands.cpp.
  void PushOperand(int index);
  void PushSize(bool with_axis);
  void PushNumber(const std::string& text);
  void PushWord(const std::string& text);
  void PushKnown(Value value);
  /// Makes a list inside of a list or of a call. It may hold only known values.
  void PushList(std::size_t count);
  /// Throws Error if the item is an operand that is a list: a list can only be passed on as a whole.
  void RequireNoList(const Item& item) const;

  // Functions: expression_functions.cpp. They take their arguments from the top of the stack and push the result.
  void PushCast(const std::string& type);
  void PushUnary(const kernel::UnaryFunction& function);
  void PushBinary(const kernel::BinaryFunction& function);
  /// Takes a function's parameters, which are numbers, from the top of the stack.
  std::array<double, 3> PopParameters(const kernel::UnaryFunction& function);
  /// Pushes the item with another instruction after its own.
  void Emit(Item item, const kernel::BlockInstruction& instruction);
  Item Pop();
  /// Takes an item that is no list from the top of the stack.
  Item PopNumbers();
  Value RequireNumber(const Item& item) const;

  const char* kind_;
  const std::string& text_;
  Argument::List inputs_;
  std::vector<kernel::BlockInstruction> program_;  ///< the input of an instruction is the operand's number
  std::vector<Item> stack_;
};

}  // namespace kuiper_infer

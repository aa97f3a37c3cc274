// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "runtime/list_budget.hpp"
#include "runtime/program.hpp"

namespace kuiper_infer {

/// Grows a program operator by operator: makes an operator's arguments of what is known of its inputs, and slots, views
/// and values of what it gives.
class ProgramBuilder {
 public:
  /// Starts with a slot for each of the model's inputs.
  ProgramBuilder(const Operators& order, const std::vector<TensorSpec>& inputs);

  Program& program() { return program_; }
  const Symbol& symbol(const RuntimeOperand& operand) const { return program_.symbols.at(&operand); }

  /// What an operator (its index in the order) takes for a symbol. Arrays are made row-major by a step of their own
  /// where the operator needs that; `sources` takes them in the order of TensorArgument::input.
  Argument ToArgument(std::size_t op, const Symbol& symbol, InputLayout layout, std::vector<Source>& sources);
  /// What an operator's result stands for; `created` takes the slots that its step writes.
  Symbol ToSymbol(const OutputPlan& output, const std::vector<Source>& sources, std::vector<int>& created);

  void AddStep(Step step);
  /// Arrays that are read behind the last step.
  void KeepToEnd(const Symbol& symbol);
  /// Throws Error(kResource) where the operator lists more than a model may.
  void CheckLists(const RuntimeOperator& op) const { lists_.CheckInputs(op); }
  /// Notes what an operator's operands stand for, and a warning where a shape is not the file's.
  void SetOutputs(const RuntimeOperator& op, std::vector<Symbol> results);

 private:
  /// A slot with the same contents in row-major order.
  int ContiguousSlot(std::size_t op, int slot);
  int AddView(int slot, const OutputPlan& output);
  Symbol ToSymbol(const Argument& argument, const std::vector<Source>& sources) const;
  void CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol);

  Program program_;
  ListBudget lists_;
  std::map<int, int> contiguous_;  ///< slots by those whose contents they have
};

}  // namespace kuiper_infer

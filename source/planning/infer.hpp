// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "planning/list_budget.hpp"
#include "planning/planning_graph.hpp"

namespace kuiper_infer {

class ArrayLayer;
class OperatorLayer;

/// The first pass. It visits the operators in execution order, binds each to its operation, and takes outputs and
/// computation from the operation's plan. An operator that depends on known values only is computed at once, and its
/// results are kept as values. An operator whose shapes depend on data becomes a dynamic node.
class Inference {
 public:
  /// Continues a graph. A graph without nodes needs a call of Start first.
  Inference(PlanningGraph& graph, const PlanningContext& context);

  /// Makes the arrays of the model's inputs.
  void Start(const std::vector<TensorSpec>& inputs);

  /// Makes the nodes of the operator with index `op` in the execution order, whose inputs have been inferred. Throws an
  /// Error that names the operator.
  void Infer(std::size_t op);

  /// Binds an operator again because the strides of its inputs have changed. The arrays that it makes keep their
  /// numbers; those whose strides change are marked in `changed`. Returns false if the node would have other results
  /// than before.
  bool InferAgain(std::size_t op, std::vector<bool>& changed);

  /// The node that does an operator's work and has its computation; null if there is none.
  Node* FindNode(std::size_t op);

 private:
  /// The outcome for one operator.
  struct Inferred {
    Node node;
    std::vector<Symbol> results;  ///< one for each of the operator's output operands
    Symbol::Dynamic unknown;      ///< the symbol of each operand if BindDynamic makes the node
  };

  Inferred MakeNode(std::size_t op);
  /// What the trial of lengths says of an operand; null if the operand does not depend on the lengths, or if the graph
  /// has no growing inputs.
  const VaryingOperand* FindVarying(const RuntimeOperand& operand) const;
  /// Whether the array is a float32 state that sessions keep in another type (GrowingInput::stored).
  bool IsKeptState(int array) const;
  /// Whether an operand is an array whose shape depends on the lengths, or a number or list that may depend on them.
  bool VariesInShape(const RuntimeOperand& operand) const;
  /// Whether VariesInShape holds for one of the operator's inputs.
  bool ReadsVarying(const RuntimeOperator& op) const;
  /// Makes the node of a concatenation to a growing input: it copies the new elements behind the former ones.
  void BindAppend(const RuntimeOperator& op, GrowingSlots& growing, Inferred& inferred);
  /// Returns false if shapes or arguments depend on data, or on lengths that the call does not follow;
  /// `inferred.unknown` then holds what is known nevertheless.
  bool BindStatic(const RuntimeOperator& op, const OperatorLayer& layer, Inferred& inferred);
  void BindArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer, Inferred& inferred);
  void BindDynamic(Inferred& inferred);
  std::vector<Symbol> FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) const;

  /// Returns the argument for a symbol, and adds its arrays to the node's inputs in the order of TensorArgument::input.
  /// If the operator needs row-major arrays, other arrays are copied by nodes of their own.
  Argument ToArgument(const Symbol& symbol, InputLayout layout, Node& node);
  /// Returns the symbol for one of the operator's outputs.
  Symbol ToSymbol(const OutputPlan& output, Node& node);
  Symbol ToSymbol(const Argument& argument, const Node& node) const;
  /// Returns the array with the same contents in row-major order.
  int RowMajorCopy(const Node& reader, int array);
  int AddArray(PlannedArray array);
  /// Returns an array for a result of the node's operator: a new one or, in InferAgain, the one that it made before.
  int AddResult(Node& node);

  /// Adds a node of the graph to the indices below.
  void Note(std::size_t node);
  bool CanStillFuse(const Node& node) const;
  /// Whether the nodes into which an operator was fused can still do its work.
  bool StaysFused(const RuntimeOperator& op) const;

  void CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol);
  std::string NameConstants(const RuntimeOperator& op) const;

  PlanningGraph& graph_;
  const PlanningContext& context_;
  ListBudget lists_;
  // Indices of nodes:
  std::unordered_map<int, std::size_t> row_major_;        ///< layout copies, by the array that they copy
  std::unordered_map<int, std::size_t> writer_of_;        ///< writers, by the array that they write
  std::unordered_map<std::size_t, std::size_t> node_of_;  ///< all nodes but layout copies, by operator
  const std::vector<int>* former_ = nullptr;              ///< InferAgain: the arrays that the operator made before
};

}  // namespace kuiper_infer

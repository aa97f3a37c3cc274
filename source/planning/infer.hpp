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

/// The first pass: goes through the operators in execution order, binds each to its operation and asks that for outputs
/// and computation. What depends on known values only is computed at once and kept as a value. Operators whose shapes
/// depend on data become dynamic nodes.
class Inference {
 public:
  /// Goes on with a graph; one without nodes is started by Start.
  Inference(PlanningGraph& graph, const PlanningContext& context);

  /// Arrays for the model's inputs.
  void Start(const std::vector<TensorSpec>& inputs);

  /// Makes the nodes of an operator (its index in the order) whose inputs are known. Throws an Error that names the
  /// operator.
  void Infer(std::size_t op);

  /// Binds an operator again because inputs of it lie otherwise in memory now. The arrays that it makes keep their
  /// numbers; `changed` takes those that lie otherwise then. False where the node would have other results than before.
  bool InferAgain(std::size_t op, std::vector<bool>& changed);

  /// The node that does an operator's work and has its computation; null where there is none.
  Node* FindNode(std::size_t op);

 private:
  /// What one operator becomes.
  struct Inferred {
    Node node;
    std::vector<Symbol> results;  ///< one for each of the operator's operands
    Symbol::Dynamic unknown;      ///< BindDynamic: what each of them becomes
  };

  Inferred MakeNode(std::size_t op);
  /// False where shapes or arguments depend on data; `inferred.unknown` then says what is known all the same.
  bool BindStatic(const RuntimeOperator& op, const OperatorLayer& layer, Inferred& inferred);
  void BindArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer, Inferred& inferred);
  void BindDynamic(Inferred& inferred);
  std::vector<Symbol> FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) const;

  /// What an operator takes for a symbol. Arrays are made row-major by a node of their own where the operator needs
  /// that; the node's inputs take them in the order of TensorArgument::input.
  Argument ToArgument(const Symbol& symbol, InputLayout layout, Node& node);
  /// What an operator's result stands for.
  Symbol ToSymbol(const OutputPlan& output, Node& node);
  Symbol ToSymbol(const Argument& argument, const Node& node) const;
  /// The array with the same contents in row-major order.
  int RowMajorCopy(const Node& reader, int array);
  int AddArray(PlannedArray array);
  /// An array that the node's operator makes: a new one, or the one that it made before.
  int AddResult(Node& node);

  /// Makes a node of the graph known.
  void Note(std::size_t node);
  bool CanStillFuse(const Node& node) const;
  /// Whether the nodes into which an operator was fused can still do its work.
  bool StaysFused(const RuntimeOperator& op) const;

  void CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol);
  std::string NameConstants(const RuntimeOperator& op) const;

  PlanningGraph& graph_;
  const PlanningContext& context_;
  ListBudget lists_;
  // Nodes, by their numbers:
  std::unordered_map<int, std::size_t> row_major_;        ///< that copy, by the array that they copy
  std::unordered_map<int, std::size_t> writer_of_;        ///< by the array that they write
  std::unordered_map<std::size_t, std::size_t> node_of_;  ///< that are no copies, by operator
  const std::vector<int>* former_ = nullptr;              ///< InferAgain: the arrays that the operator made before
};

}  // namespace kuiper_infer

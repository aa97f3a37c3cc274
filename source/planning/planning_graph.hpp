// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "operation/computation.hpp"
#include "planning/program.hpp"

namespace kuiper_infer {

/// An array of a planning graph. An array that is a view names the array whose memory it shares.
struct PlannedArray {
  TensorSpec spec;
  ArrayMemory memory = ArrayMemory::kArena;
  int root = -1;             ///< kView: the array with the memory (never itself a view)
  int64_t offset = 0;        ///< kView: bytes from the root's start
  bool allows_gaps = false;  ///< see OutputPlan
  /// kArena: on which all its numbers lie. The type of an array of floats becomes that of what its numbers are stored
  /// as (Storage) when this has been chosen.
  std::optional<kernel::QuantizationGrid> grid = {};
};

/// What a node reads: an array of the graph or a constant.
struct NodeInput {
  int array = -1;
  TensorArgument constant;
};

/// What an operator, or several that were fused, became: one call, or views only, or an operator that is planned while
/// running.
struct Node {
  enum class Kind {
    kCall,
    kView,        ///< outputs are views on inputs: nothing runs
    kLayoutCopy,  ///< makes an input of the operator row-major
    kDynamic,     ///< bound and planned while running
  };
  Kind kind = Kind::kCall;
  std::size_t op = 0;        ///< index into the execution order: the operator whose computation the node has
  std::size_t position = 0;  ///< in the execution order: where the node runs; that of the last operator fused into it
  std::vector<NodeInput> inputs;
  /// The entries of `inputs` whose elements, or zeros, the outputs hold; empty if the node computes new numbers.
  std::vector<int> preserved;
  std::vector<int> outputs;  ///< arrays that the node writes, in the order of RunContext::outputs
  std::vector<int> made;     ///< all arrays that its operator makes, views too, in the order of its results
  KernelCall call;           ///< for nodes without computation
  std::shared_ptr<const Computation> computation;
  Fusion fusion;      ///< what the computation does beside; addends and factors are inputs of the node
  bool alive = true;  ///< false: another node does the work, or nobody needs it

  /// Whether it becomes a step.
  bool runs() const { return alive && kind != Kind::kView; }
};

/// The operators of a model for one set of input shapes. Passes (passes.hpp) change it; then its calls are made.
struct PlanningGraph {
  Operators operators;  ///< in execution order
  std::vector<PlannedArray> arrays;
  std::vector<Node> nodes;
  std::map<const RuntimeOperand*, Symbol> symbols;     ///< a slot is the number of an array
  std::vector<int> input_arrays;                       ///< per graph input
  std::vector<const RuntimeOperand*> output_operands;  ///< what each pnnx.Output reads
  std::vector<std::string> warnings;                   ///< shapes that differ from those recorded in the file
  std::vector<PassReport> reports;                     ///< of the passes that ran

  /// The array whose memory an array lies in: itself, or the one on which it is a view.
  int RootOf(int array) const { return arrays[array].memory == ArrayMemory::kView ? arrays[array].root : array; }
  /// How the numbers of an array are stored.
  Storage StorageOf(int array) const;
  /// Makes it a view that begins `offset` elements behind the start of `base`, which may be a view.
  void SetView(int array, TensorSpec spec, int base, int64_t offset);
};

/// The numbers of the nodes in the order in which they run: passes that join a node to the one before it go this way,
/// however the nodes stand in the graph. Copies stand before the node that was the first to need them.
std::vector<std::size_t> InRunningOrder(const PlanningGraph& graph);

/// From which running node on, and until which, the memory of a root array is needed: numbers of the nodes that run, in
/// running order; Slot::kEnd behind them all. `first` is -1 where no node writes the array.
struct Lifetime {
  int64_t first = -1;
  int64_t last = 0;
};

/// The lifetimes of the root arrays, by array. What a dynamic node reads is kept to the end.
std::vector<Lifetime> LifetimesOf(const PlanningGraph& graph);

/// What a node's computation does beside, with the layouts that its arrays have now.
Fusion FusionOf(const PlanningGraph& graph, const Node& node);

/// Who reads and who writes the arrays of a graph, counted once for a pass, which keeps it up to date.
class ArrayUses {
 public:
  explicit ArrayUses(const PlanningGraph& graph);

  /// How often nodes read the memory of a root array, and model outputs.
  int reads(int root) const { return reads_[root]; }
  void DropRead(int root) { --reads_[root]; }
  /// The node that writes an array alone; -1 where there is none or views are written into it.
  int writer(int array) const { return writers_[array]; }
  void SetWriter(int array, int node) { writers_[array] = node; }

  /// The node with a computation that alone writes what `input` reads, if nothing else reads that and it is the node's
  /// only output; null otherwise.
  Node* OnlyRead(PlanningGraph& graph, const NodeInput& input) const;

 private:
  std::vector<int> reads_;
  std::vector<int> writers_;
};

/// Calls action(array) for the arrays that a symbol holds.
template <class Action>
void ForEachArray(const Symbol& symbol, const Action& action) {
  if (const int* array = symbol.slot()) action(*array);
  if (const Symbol::List* list = symbol.list()) {
    for (const Symbol& item : *list) ForEachArray(item, action);
  }
}

}  // namespace kuiper_infer

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
  /// Quantisation parameters, if every element is known to lie on a grid (set by FindGrids). ChooseStorage may then
  /// change `spec.type` from float32 to the stored type.
  std::optional<kernel::QuantizationGrid> grid = {};
};

/// An input of a node: an array of the graph or a constant.
struct NodeInput {
  int array = -1;
  TensorArgument constant;
};

/// One operator of the planning graph, or several that were fused. It becomes one call, views only, or an operator that
/// is planned while running.
struct Node {
  enum class Kind {
    kCall,
    kView,        ///< outputs are views of inputs: nothing runs
    kLayoutCopy,  ///< makes an input of the operator row-major
    kDynamic,     ///< bound and planned while running
  };
  Kind kind = Kind::kCall;
  std::size_t op = 0;        ///< index into the execution order: the operator whose computation the node has
  std::size_t position = 0;  ///< place in the execution order where the node runs: that of the last fused operator
  std::vector<NodeInput> inputs;
  /// The entries of `inputs` whose elements, or zeros, the outputs hold; empty if the node computes new numbers.
  std::vector<int> preserved;
  std::vector<int> outputs;  ///< arrays that the node writes, in the order of RunContext::outputs
  std::vector<int> made;     ///< all arrays that its operator makes, views too, in the order of its results
  KernelCall call;           ///< for nodes without computation
  std::shared_ptr<const Computation> computation;
  Fusion fusion;      ///< work that is fused into the computation; residuals and factors are inputs of the node
  bool alive = true;  ///< false: another node does the work, or nothing needs it

  /// Whether the node becomes a step.
  bool runs() const { return alive && kind != Kind::kView; }
};

/// The operators of a model for one set of input shapes. Passes (passes.hpp) change it; then its calls are made.
struct PlanningGraph {
  Operators operators;  ///< in execution order
  std::vector<PlannedArray> arrays;
  std::vector<Node> nodes;
  std::map<const RuntimeOperand*, Symbol> symbols;          ///< a slot is the number of an array
  std::vector<int> input_arrays;                            ///< per graph input
  std::vector<GrowingSlots> growing;                        ///< slots are numbers of arrays
  std::map<const RuntimeOperand*, VaryingOperand> varying;  ///< the operands that depend on the growing inputs
  std::vector<const RuntimeOperand*> output_operands;       ///< what each pnnx.Output reads
  std::vector<std::string> warnings;                        ///< shapes that differ from those recorded in the file
  std::vector<PassReport> reports;                          ///< of the passes that ran

  /// The array whose memory an array lies in: itself, or the one on which it is a view.
  int RootOf(int array) const { return arrays[array].memory == ArrayMemory::kView ? arrays[array].root : array; }
  /// How the numbers of an array are stored.
  Storage StorageOf(int array) const;
  /// Makes `array` a view that begins `offset` elements behind the start of `base`, which may be a view.
  void SetView(int array, TensorSpec spec, int base, int64_t offset);
};

/// Returns the indices of the nodes in the order in which they run. Passes that fuse a node into an earlier one visit
/// the nodes in this order. A layout copy comes before the first node that needs it.
std::vector<std::size_t> InRunningOrder(const PlanningGraph& graph);

/// The time during which the memory of a root array is needed: the first and the last of the nodes that run, counted in
/// running order. `last` is Slot::kEnd if the array is needed after all nodes; `first` is -1 if no node writes it.
struct Lifetime {
  int64_t first = -1;
  int64_t last = 0;
};

/// The lifetimes of the root arrays, by array. An array that a dynamic node reads is kept to the end.
std::vector<Lifetime> LifetimesOf(const PlanningGraph& graph);

/// The work that is fused into a node's computation, with the present layouts of its arrays.
Fusion FusionOf(const PlanningGraph& graph, const Node& node);

/// The readers and writers of a graph's arrays. A pass counts them once and keeps the counts up to date.
class ArrayUses {
 public:
  explicit ArrayUses(const PlanningGraph& graph);

  /// The number of times that nodes and model outputs read the memory of a root array.
  int reads(int root) const { return reads_[root]; }
  void DropRead(int root) { --reads_[root]; }
  /// The node that alone writes an array; -1 if there is none or if nodes write views of the array.
  int writer(int array) const { return writers_[array]; }
  void SetWriter(int array, int node) { writers_[array] = node; }

  /// Returns the node that alone writes the array of `input`, if it has a computation, if the array is its only output,
  /// and if `input` is the array's only reader; null otherwise.
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

// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "operation/evaluate.hpp"
#include "planning/topology.hpp"
#include "planning/varying_operands.hpp"

namespace kuiper_infer {

/// Where the memory of a planned array comes from.
enum class ArrayMemory {
  kArena,
  kInput,
  kView,
  kGrowing,   ///< the memory of a growing input (GrowingSlots)
  kComputed,  ///< the memory of a value that a dynamic step makes
  kState,     ///< the memory that a session gives for the new value of a state (StateSlots)
  kNone,      ///< the array is never written: a chain of kernels passes its elements on in parts
};

/// A planned array as a run knows it. A slot that is a view names the slot whose memory it shares.
struct Slot {
  static constexpr int64_t kEnd = INT64_MAX - 1;  ///< after all steps
  TensorSpec spec;
  ArrayMemory memory = ArrayMemory::kArena;
  int root = -1;       ///< kView: the slot with the memory (never itself a view)
  int64_t offset = 0;  ///< bytes: into the arena for kArena, from the root's start for kView
  int64_t first = 0;   ///< first and last step that need the memory
  int64_t last = 0;
};

/// The arrays of one growing input. They share the memory that a session keeps for it. In each run they have other
/// places there and, but for `added`, other shapes; the shapes in the program are examples.
struct GrowingSlots {
  GrowingInput input;
  int past = -1;   ///< the elements of former runs: the model's input
  int added = -1;  ///< the elements that this run adds
  int whole = -1;  ///< both: the concatenation
};

/// Where a run makes the new value of a state that is replaced.
struct StateSlots {
  enum class Made {
    kElsewhere,  ///< in other memory, from which the session copies it after the run
    kBeside,     ///< in other memory of the session, which becomes the state's memory after the run
    kInPlace,    ///< in the state's memory: a step overwrites a part of it (StateUpdate)
  };
  Made made = Made::kElsewhere;
  int slot = -1;  ///< of the new value, unless it is made elsewhere
};

/// A step that overwrites rows of a state in place. Before that they are copied into the arena, so that they can be
/// restored if the run fails.
struct StateUpdate {
  std::size_t step = 0;  ///< its first input and its output are the state
  ChangedRows changed;
  int64_t saved_offset = 0;  ///< of the copy in the arena
};

/// What planning knows of an operand: a value, a planned array (its slot), a list of symbols, or nothing before the
/// operand is computed.
struct Symbol {
  struct Dynamic {
    bool free_shape = false;  ///< the shape may depend on the contents of arrays
  };
  using List = std::vector<Symbol>;
  std::variant<Value, int, List, Dynamic> content;

  const Value* known() const { return std::get_if<Value>(&content); }
  const int* slot() const { return std::get_if<int>(&content); }
  const List* list() const { return std::get_if<List>(&content); }
  const Dynamic* dynamic() const { return std::get_if<Dynamic>(&content); }
};

/// Makes one result for each of an operator's output operands. If the operator gives one list, and has several output
/// operands or one that the file records as an array, each operand gets an item of the list. `list` is the content of
/// the first result if that is a list, otherwise empty.
template <class T>
void DealOutResults(const RuntimeOperator& op, std::vector<T>& results, std::optional<std::vector<T>> list) {
  const auto& operands = op.output_operands_seq;
  const bool pieces = operands.size() > 1 || (operands.size() == 1 && operands.front()->has_shape);
  if (results.size() == 1 && list.has_value() && pieces) results = std::move(*list);
  if (results.size() < operands.size()) {
    throw Error(ErrorCode::kGraph, "operator '" + op.name + "' (" + op.type + ") gives " +
                                       std::to_string(results.size()) + " outputs, the file lists " +
                                       std::to_string(operands.size()));
  }
}

/// An array that a step reads: a slot or a constant.
struct Source {
  int slot = -1;
  NdArray constant;
};

/// One kernel call, or an operator that is bound and planned while running because its shapes depend on data.
struct Step {
  std::size_t op = 0;  ///< index into the execution order
  KernelCall call;
  std::vector<Source> inputs;
  std::vector<int> outputs;      ///< slots
  int64_t workspace_offset = 0;  ///< into the arena
  bool dynamic = false;
  bool layout_copy = false;  ///< the step copies an input of `op` into row-major order
  int update = -1;           ///< the entry of Program::updates if the step updates a state in place
};

/// What a pass over the planning graph left.
struct PassReport {
  std::string pass;
  int64_t nodes = 0;   ///< nodes that run
  int64_t copies = 0;  ///< nodes among them that only make an array row-major or join arrays
  int64_t bytes = 0;   ///< bytes of the arrays that nodes write
};

/// A graph planned for one set of input shapes: immutable, shared by all runs.
struct Program {
  Operators operators;  ///< in execution order
  std::vector<Slot> slots;
  std::vector<Step> steps;
  std::map<const RuntimeOperand*, Symbol> symbols;
  std::vector<int> input_slots;                             ///< per graph input
  std::vector<GrowingSlots> growing;                        ///< the inputs for whose lengths the program has no value
  std::map<const RuntimeOperand*, VaryingOperand> varying;  ///< the operands that depend on these lengths
  std::vector<StateSlots> replaced;                         ///< by state that is replaced
  std::vector<StateUpdate> updates;                         ///< in no particular order
  std::vector<const RuntimeOperand*> output_operands;       ///< the operand of each pnnx.Output
  int64_t arena_bytes = 0;         ///< memory of intermediate arrays, output arrays and scratch
  int64_t largest_live_bytes = 0;  ///< most bytes of arrays that are alive at the same step
  double multiply_adds = 0;
  std::vector<std::string> warnings;  ///< shapes that differ from those recorded in the file
  std::vector<PassReport> passes;     ///< in the order in which they ran

  /// Whether the program serves every length of the growing inputs.
  bool any_length() const { return !growing.empty(); }
  /// The slot whose memory a slot uses: itself, or the slot of which it is a view.
  int RootOf(int slot) const { return slots[slot].memory == ArrayMemory::kView ? slots[slot].root : slot; }
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel/block_program.hpp"
#include "kernel/channels_last.hpp"
#include "layer/abstract/arguments.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer {

/// What a kernel call gets: the arrays, in the order of TensorArgument::input and of OperationPlan::outputs (new ones
/// only), and scratch memory of the size that the plan asked for (64-byte aligned).
struct RunContext {
  const ConstArrayView* inputs;
  const ArrayView* outputs;
  std::byte* workspace;
};

/// One output of a planned operation.
struct OutputPlan {
  enum class Kind {
    kNew,      ///< memory of its own, without gaps in the spec's layout, written by `run`
    kView,     ///< a window on input `input`: other strides on the same memory, nothing to run
    kForward,  ///< the argument itself
    kKnown,    ///< a value known without running
    kList,     ///< a list of such
  };
  Kind kind = Kind::kNew;
  TensorSpec spec;                ///< kNew, kView
  int input = -1;                 ///< kView
  int64_t offset = 0;             ///< kView: elements from the first one of the input's window
  Argument argument;              ///< kForward
  Value known;                    ///< kKnown
  std::vector<OutputPlan> items;  ///< kList

  static OutputPlan New(RuntimeDataType type, const Shape& shape) { return New(TensorSpec(type, shape)); }
  static OutputPlan New(TensorSpec spec);
  static OutputPlan View(const TensorArgument& input, Shape shape, Strides strides, int64_t offset = 0);
  static OutputPlan Forward(Argument argument);
  static OutputPlan Known(Value value);
  static OutputPlan List(std::vector<OutputPlan> items);
};

/// Element-wise work that an operation does to its input and its output on the way:
/// activation(operation(input * factor) + addend).
struct Fusion {
  int factor = -1;         ///< RunContext input with factors of the operation's first input, like addend
  TensorSpec factor_spec;  ///< float32, repeated along the axes where its extent is 1
  int addend = -1;         ///< RunContext input that is added, behind the operation's own ones; -1: none
  TensorSpec addend_spec;  ///< of the output's shape, but perhaps in another layout
  kernel::Activation activation;
};

/// An operation that is a block program: what its instructions read, in their order, and what it makes.
struct Elementwise {
  kernel::BlockProgram program;
  std::vector<TensorArgument> operands;
  TensorSpec result;
};

/// A convolution of one channels-last image that can be computed some rows at a time, for chains of them.
struct ConvolutionStage {
  kernel::ChannelsLastConvolution convolution;
  std::shared_ptr<const float> weight;  ///< packed
  int image = -1;                       ///< RunContext inputs: what the first stage of a chain reads,
  int bias = -1;                        ///< or -1
  kernel::Activation activation = {};   ///< of a stage that is not the last
  int64_t channel_axis = 1;             ///< of the images
};

/// What an operation decides once for given arguments and shapes: its outputs (the one rule that `info`, the memory
/// planner and the run all use) and the call that computes the new ones. `run` holds everything by value, is safe to
/// call from several threads and allocates nothing; it throws Error only for faults in the data itself (an index out
/// of range).
struct OperationPlan {
  std::vector<OutputPlan> outputs;
  std::function<void(const RunContext&)> run;  ///< empty where nothing has to be computed
  int64_t workspace_bytes = 0;
  double multiply_adds = 0;  ///< for reports; 0 where they don't matter
  std::string method;        ///< for reports: the algorithm, where there is a choice
  /// Set where the operation is nothing but a function of its first input, of the same float type and shape.
  kernel::Activation activation;
  /// The operation is the sum of its two inputs, of the same float type and shape, and nothing else.
  bool adds_inputs = false;
  /// Set where the operation is nothing but the product of the input `product.array`, which has the output's spec, with
  /// the input `product.factor`, which is repeated along axes. Float32.
  struct Product {
    int array = -1;
    int factor = -1;
  } product;
  /// Set where the operation is nothing but that.
  std::shared_ptr<const Elementwise> elementwise;
  /// Set where the operation can do such work to its only output (new, floating) on the way: gives the `run` that does,
  /// or an empty one where it cannot. May be called again with more to do.
  std::function<std::function<void(const RunContext&)>(const Fusion&)> run_fused;
  /// Set where the operation is a convolution that may become part of a chain.
  std::vector<ConvolutionStage> stages;
  /// The output may have gaps between its pixels: `run` obeys the strides of RunContext::outputs[0], where the channels
  /// lie side by side and the pixels evenly.
  bool strided_output = false;
  /// Set where the only output consists of inputs side by side, with its strides: where in it each begins, in elements.
  struct Piece {
    int input = -1;
    int64_t offset = 0;
  };
  std::vector<Piece> pieces;
  /// A constant that `run` doesn't read, because it has a packed form of it.
  struct PackedInput {
    int input = -1;
    std::function<NdArray()> restore;  ///< makes the contents from the packed form; empty where that can't be done
  };
  std::vector<PackedInput> packed_inputs;
  /// The plan depends on contents that are not known yet and holds nothing else: it is made again while running.
  bool data_dependent = false;
};

using PlanFunction = OperationPlan (*)(const Arguments& arguments);

/// How inputs may lie in memory.
enum class InputLayout {
  kRowMajor,      ///< the executor passes row-major arrays without gaps, copying where necessary
  kStrided,       ///< any strides
  kStridedFirst,  ///< any strides of the first array, the others row-major
};

/// Whether an operation's array argument, its first one or another, has to be row-major.
inline bool NeedsRowMajor(InputLayout layout, bool first) {
  return layout == InputLayout::kRowMajor || (layout == InputLayout::kStridedFirst && !first);
}

enum class OperationKind {
  kPure,           ///< the same inputs give the same outputs, in a shape that follows from the inputs' shapes
  kDataDependent,  ///< the output's shape depends on the contents of an input (masked_select, nonzero, ...): planned
                   ///< while running
  kRandom,         ///< other outputs in each run, even where all inputs are constants
};

/// A row of the table of operations: one spelling (a type string of the format), its arguments, its plan.
struct Operation {
  std::string type;
  Schema schema;
  PlanFunction plan;
  InputLayout layout = InputLayout::kRowMajor;
  OperationKind kind = OperationKind::kPure;
  std::string family = {};  ///< of the list in operation_table.cpp
};

/// The list of all built-in operations, by type string; a type has several rows where PyTorch overloads it (the first
/// whose schema fits is taken). Filled once by the explicit calls in operation_table.cpp, so that a static link keeps
/// them all.
class OperationTable {
 public:
  static const OperationTable& Instance();

  /// Adds one row for each spelling, in the family whose turn it is. Throws std::logic_error on a malformed schema.
  void Add(const std::vector<std::string>& types, const std::string& schema, PlanFunction plan,
           InputLayout layout = InputLayout::kRowMajor, OperationKind kind = OperationKind::kPure);

  /// The overloads of a type, empty when unknown.
  const std::vector<Operation>& Find(const std::string& type) const;
  const std::map<std::string, std::vector<Operation>>& rows() const { return rows_; }

 private:
  OperationTable();
  std::map<std::string, std::vector<Operation>> rows_;
  std::string family_;  ///< of the rows that are being added
};

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/indexing/saved_rows.hpp"
#include "kernel/quantization/quantize.hpp"
#include "operation/arguments.hpp"
#include "operation/output_values.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer {

/// What a kernel call gets: input arrays in the order of TensorArgument::input, output arrays in the order of
/// OperationPlan::outputs (kNew only), and scratch memory of the size that the plan asked for, aligned to 64 bytes.
struct RunContext {
  const ConstArrayView* inputs;
  const ArrayView* outputs;
  std::byte* workspace;
};

class Computation;
struct PlanningContext;

/// One output of a planned operation.
struct OutputPlan {
  enum class Kind {
    kNew,      ///< an array with memory of its own, without gaps in the spec's layout, written by `run`
    kView,     ///< a view of input `input`: other strides on the same memory, nothing to run
    kForward,  ///< the argument itself
    kKnown,    ///< a value known without running
    kList,     ///< a list of outputs
  };
  Kind kind = Kind::kNew;
  TensorSpec spec;                ///< kNew, kView
  int input = -1;                 ///< kView
  int64_t offset = 0;             ///< kView: elements from the first one of the input's view
  Argument argument;              ///< kForward
  Value known;                    ///< kKnown
  std::vector<OutputPlan> items;  ///< kList
  /// kNew: whether the call can write an output with gaps between pixels, if the channels of a pixel lie side by side
  /// and the pixels are evenly spaced. This output can then be a part of a larger array.
  bool allows_gaps = false;

  // These are defined in operation.cpp. Inline, every file with a plan function would compile copies of all kinds of
  // values again.
  OutputPlan();
  OutputPlan(const OutputPlan& other);
  OutputPlan(OutputPlan&& other) noexcept;
  OutputPlan& operator=(const OutputPlan& other);
  OutputPlan& operator=(OutputPlan&& other) noexcept;
  ~OutputPlan();

  static OutputPlan New(RuntimeDataType type, const Shape& shape) { return New(TensorSpec(type, shape)); }
  static OutputPlan New(TensorSpec spec);
  static OutputPlan NewWithGaps(TensorSpec spec);
  static OutputPlan View(const TensorArgument& input, Shape shape, Strides strides, int64_t offset = 0);
  static OutputPlan Forward(Argument argument);
  static OutputPlan Known(Value value);
  static OutputPlan List(std::vector<OutputPlan> items);
};

/// A constant that a call does not read, because the call holds a packed form of it. Integers and their parameters are
/// packed apart, each with a note for the same input.
struct PackedInput {
  int input = -1;                    ///< index into RunContext::inputs
  std::shared_ptr<Weight> weight;    ///< what the packed form was made from; null if that has to stay in memory
  std::function<NdArray()> restore;  ///< makes its values from the packed form; empty: the file keeps the values
};

/// Rows along an axis of a call's first input that differ in its only output; all other elements are copied. If input
/// and output are one array, the call writes these rows only.
struct ChangedRows {
  kernel::ChosenRows rows;
  int index = -1;  ///< RunContext input with the numbers of the rows, int64 or int32; -1: the rows from `first` on
  int64_t first = 0;
};

/// Whether a call has only its ChangedRows to write: `input` holds all other elements and is the output's own memory.
inline bool InPlace(const RunContext& c, int input) { return input == 0 && c.inputs[0].data == c.outputs[0].data; }

class RowwiseWork;

/// One call of a kernel. `run` holds everything by value, is safe to call from several threads and allocates nothing;
/// it throws Error only for faults in the data itself (an index out of range).
struct KernelCall {
  std::function<void(const RunContext&)> run;  ///< empty if nothing has to be computed
  int64_t workspace_bytes = 0;
  double multiply_adds = 0;  ///< for reports; 0 if the time does not depend on them
  std::string method;        ///< for reports: the algorithm, if there is a choice
  std::vector<PackedInput> packed_inputs;
  /// Whether `run` takes lengths and strides of its inputs from RunContext::inputs, so that they may differ from those
  /// of the plan: the number of keys of an attention, in key, value and mask. What the plan says of outputs and
  /// workspace holds for every length.
  bool reads_specs = false;
  std::optional<ChangedRows> changed_rows;  ///< set if the call can change rows in place
  /// Set if the call works row by row, so that the rows of several runs can be one call.
  std::shared_ptr<const RowwiseWork> rowwise;
};

/// The work of a call that makes each row of its results from the same row of its arrays, and from constants.
class RowwiseWork {
 public:
  virtual ~RowwiseWork() = default;
  /// The rows of the call.
  virtual int64_t rows() const = 0;
  /// Whether `other`, the work of the same operator in another program, does the same with each row.
  virtual bool SameForRow(const RowwiseWork& other) const = 0;
  /// Makes the call for `rows` rows: each array that is no constant has this number of rows, of the same size as here.
  virtual KernelCall MakeCall(int64_t rows, const PlanningContext& context) const = 0;
};

/// What an operation decides once for given arguments and shapes: its outputs (the one rule that `info`, the memory
/// planner and the run all use) and the call that computes the new ones. If passes over the planning graph may change
/// what the call does, the plan holds a computation instead, which makes the call at the end.
struct OperationPlan : KernelCall {
  std::vector<OutputPlan> outputs;
  std::shared_ptr<const Computation> computation;  ///< null: the plan holds the finished call
  /// The grid to which results are rounded, if the computation can fuse that (Computation::CanFuse).
  std::optional<kernel::QuantizationGrid> grid;
  /// Whether the plan depends on contents that are not known yet. It then holds nothing else, and is made again while
  /// running.
  bool data_dependent = false;
};

/// Returns the plan's call, or lets its computation make the call: for operations outside of a planning graph.
KernelCall CallOf(const OperationPlan& plan, const PlanningContext& context);

using PlanFunction = std::function<OperationPlan(const Arguments& arguments)>;

/// The strides of inputs that an operation accepts.
enum class InputLayout {
  kRowMajor,      ///< row-major without gaps; other arrays are copied before the call
  kStrided,       ///< any strides
  kStridedFirst,  ///< any strides of the first array, the others row-major
};

/// Whether an array argument has to be row-major; `first` says whether it is the operation's first array.
inline bool NeedsRowMajor(InputLayout layout, bool first) {
  return layout == InputLayout::kRowMajor || (layout == InputLayout::kStridedFirst && !first);
}

enum class OperationKind {
  kPure,           ///< the same inputs give the same outputs, in a shape that follows from the inputs' shapes
  kDataDependent,  ///< the output's shape depends on the contents of an input (masked_select, nonzero, ...): planned
                   ///< while running
  kRandom,         ///< other outputs in each run, even if all inputs are constants
};

/// A row of the table of operations: one spelling (a type string of the format), its arguments, its plan, and what else
/// the planner and tools have to know of it.
struct Operation {
  std::string type;
  std::shared_ptr<const Schema> schema;
  PlanFunction plan;
  InputLayout layout = InputLayout::kRowMajor;
  OperationKind kind = OperationKind::kPure;
  OutputValues values = {};
  std::string file = {};  ///< the file of source/operators that adds the row: "pooling/max_unpool"

  /// The folder of the file.
  std::string family() const { return file.substr(0, file.find('/')); }
};

class OperationTable;

/// A file of source/operators that this build has.
struct OperationFile {
  const char* name;  ///< "pooling/max_unpool"
  void (*add_rows)(OperationTable& table);
  /// The types that its compositions call, with a blank behind each. Other strings of the file may be among them.
  const char* calls;
};

/// The files of this build. source/operators/CMakeLists.txt lists all; a build may have some of them
/// (KUIPER_OPERATORS).
const std::vector<OperationFile>& OperationFiles();

/// For errors: empty if the build has all files, else what to do about a type that is not supported.
std::string LeftOutHint();

/// The table of all built-in operations by type string. A type that PyTorch overloads has several rows; the first row
/// whose schema fits is taken. The table is filled once, by the functions of `OperationFiles`. These calls are
/// explicit, so that a static link keeps all operations.
class OperationTable {
 public:
  static const OperationTable& Instance();

  /// Adds one row for each spelling, as rows of the file `file_`.
  void Add(const std::vector<std::string>& types, const std::string& schema, const PlanFunction& plan,
           InputLayout layout = InputLayout::kRowMajor, OperationKind kind = OperationKind::kPure,
           const OutputValues& values = {});
  /// Adds pure operations.
  void Add(const std::vector<std::string>& types, const std::string& schema, const PlanFunction& plan,
           InputLayout layout, const OutputValues& values) {
    Add(types, schema, plan, layout, OperationKind::kPure, values);
  }

  /// The rows of a type; empty if the type is unknown.
  const std::vector<Operation>& Find(const std::string& type) const;
  /// The first row of a type. Throws Error(kUnsupported) if the type is unknown.
  const Operation& Get(const std::string& type) const;
  const std::map<std::string, std::vector<Operation>>& rows() const { return rows_; }

 private:
  OperationTable();
  std::map<std::string, std::vector<Operation>> rows_;
  std::string file_;                                              ///< of the rows that are being added
  std::map<std::string, std::shared_ptr<const Schema>> schemas_;  ///< by text: many rows have the same arguments
};

}  // namespace kuiper_infer

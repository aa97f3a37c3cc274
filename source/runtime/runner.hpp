// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kuiper_infer/runtime/run_options.hpp"
#include "runtime/built_graph.hpp"
#include "runtime/executor.hpp"

namespace kuiper_infer {

/// One thread's runs of a built graph: the inputs given, and memory for each program used lately.
class Runner {
 public:
  /// A program, with memory once it has run or was prepared.
  struct Entry {
    ProgramKey key;
    std::shared_ptr<const Program> program;
    std::unique_ptr<ExecutionContext> context;
  };

  explicit Runner(std::shared_ptr<BuiltGraph> graph) : graph_(std::move(graph)), given_(graph_->inputs.size()) {}

  BuiltGraph& graph() const { return *graph_; }
  void set_threads(int count) { threads_ = count; }

  /// Checks and sets an input; contiguous arrays are read in place.
  void SetInput(std::size_t index, const NdArray& array);

  /// Makes the program for inputs of these specs the current one; it is planned by `threads` threads, 0 standing for
  /// set_threads'.
  Entry& EntryFor(const ProgramKey& key, int threads = 0);
  /// Makes the program for inputs of these specs the current one and takes its memory, ahead of a run.
  void Prepare(const ProgramKey& key);

  /// Runs on the inputs set. `keep_all` keeps every operand's array.
  ExecutionContext& Run(bool keep_all, const RunOptions& options = {}, const StepObserver& observer = {});

  /// The current program, or null before there is one.
  const Entry* current() const { return programs_.empty() ? nullptr : &programs_.front(); }
  /// What the last run left; throws Error(kState) where there was none that finished.
  const ExecutionContext& Results() const;
  /// Views of the arrays of all outputs, tuples and lists flattened in order.
  std::vector<NdArray> OutputViews() const;
  /// Views of the arrays of one output.
  std::vector<NdArray> OutputViews(std::size_t index) const;
  /// The arrays of one output, row-major: views where they lie so, otherwise copies, which count in the model's memory.
  std::vector<NdArray> RowMajorOutputs(std::size_t index);
  /// Row-major copies of the arrays of all outputs, which count in the model's memory.
  std::vector<NdArray> OutputCopies();

 private:
  /// An input as the program reads it: row-major, bools as 0 and 1. It is the array given, if it is so already;
  /// otherwise a copy, which counts in the model's memory.
  NdArray ReadableInput(std::size_t index);
  bool FitsInputs(const Entry& entry) const;
  int UsedThreads(int wanted) const { return graph_->used_threads(wanted > 0 ? wanted : threads_); }
  Entry& EntryForInputs(bool keep_all, int threads);
  ExecutionContext& ContextOf(Entry& entry);
  /// Calls `take`, which allocates; where the budget has no room, once more without the memory of other programs.
  template <class Take>
  auto WithinBudget(const Take& take);

  std::shared_ptr<BuiltGraph> graph_;
  std::vector<NdArray> given_;   ///< per input; undefined until set
  std::vector<NdArray> arrays_;  ///< the inputs made contiguous, as the last run read them
  RecentPrograms<Entry> programs_;
  int threads_ = 0;
  bool finished_ = false;  ///< the last run
};

/// All arrays in a value, depth first.
void FlattenArrays(const Value& value, std::vector<NdArray>& arrays);

/// A row-major copy of an array.
NdArray CopyOf(const NdArray& array);

}  // namespace kuiper_infer

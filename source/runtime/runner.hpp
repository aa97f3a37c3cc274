// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/run_options.hpp"
#include "kuiper_infer/runtime/session.hpp"
#include "runtime/built_graph.hpp"
#include "runtime/executor.hpp"
#include "runtime/states/session_states.hpp"

namespace kuiper_infer {

/// Runs a built graph in one thread, with its inputs and the memory of the programs used last.
class Runner {
 public:
  /// A program. Its memory (`context`) is allocated when it is prepared or first run.
  struct Entry {
    ProgramKey key;
    std::shared_ptr<const Program> program;
    std::unique_ptr<ExecutionContext> context;
  };

  explicit Runner(std::shared_ptr<BuiltGraph> graph)
      : graph_(std::move(graph)), given_(graph_->inputs.size()), states_(graph_->states) {}

  BuiltGraph& graph() const { return *graph_; }
  std::shared_ptr<BuiltGraph> shared_graph() const { return graph_; }
  void set_threads(int count) { threads_ = count; }
  int UsedThreads(int wanted) const { return graph_->used_threads(wanted > 0 ? wanted : threads_); }
  /// Set while a call of a session uses the runner.
  std::atomic_flag& in_use() { return in_use_; }

  /// Checks and sets an input; contiguous arrays are read in place. A state is set to a copy.
  void SetInput(std::size_t index, const NdArray& array);
  /// Sets inputs by their names.
  void SetInputs(const std::map<std::string, NdArray>& inputs);

  /// Makes the program for inputs of these specs the current one. If it has to be planned, `threads` threads do that; 0
  /// means the number of set_threads. `lengths` are the lengths of growing inputs (BuiltGraph::ProgramFor).
  Entry& EntryFor(const ProgramKey& key, int threads = 0, const std::vector<int64_t>& lengths = {});
  /// Makes the program for inputs of these specs the current one and allocates its memory before a run.
  void Prepare(const ProgramKey& key);
  /// Prepares a run of one token, or one frame, of a runner without inputs and states: free extents are 1.
  void PrepareStep();

  /// Runs on the inputs set. `keep_all` keeps every operand's array.
  ExecutionContext& Run(bool keep_all, const RunOptions& options = {}, const StepObserver& observer = {});

  // The parts of Run, for runs of several runners at once (RunTogether).

  /// A run that is about to begin.
  struct PendingRun {
    ProgramKey key;  ///< if there are states; lengths of growing inputs are left out
    ExecutionContext* context = nullptr;
    std::vector<GrowingArray*> growing;  ///< RunArrays::growing
    std::vector<NdArray> next;           ///< RunArrays::next
  };
  /// Chooses the program and the arrays of a run on the inputs set. The result is valid until the next call.
  const PendingRun& Begin(bool keep_all, const RunOptions& options);
  /// The arrays of the pending run.
  RunArrays PendingArrays() const { return {arrays_, pending_.growing, pending_.next}; }
  /// Makes the new values of all states. The present values stay until Finish.
  void MakeNewStates(const ExecutionContext& context);
  /// Makes the new values the states of the next run, and the results readable.
  void Finish();
  /// Scratch memory of this size, which stays for later runs.
  std::byte* Scratch(int64_t bytes);

  // States: see Session.
  void Reset();
  int64_t Length() const;
  void Truncate(int64_t length);
  StateSnapshot Snapshot();
  void Restore(const StateSnapshot& snapshot);
  void SaveStates(const std::string& path) const;
  void LoadStates(const std::string& path);
  const SessionStates& states() const { return states_; }

  /// The current program; null if there is none yet.
  const Entry* current() const { return programs_.empty() ? nullptr : &programs_.front(); }
  /// The memory with the results of the last run. Throws Error(kState) if no run has finished.
  const ExecutionContext& Results() const;
  /// Views of the arrays of all outputs that are no states, tuples and lists flattened in order.
  std::vector<NdArray> OutputViews() const;
  /// Views of the arrays of one output.
  std::vector<NdArray> OutputViews(std::size_t index) const;
  /// The arrays of one output, row-major. An array that is row-major already is a view, any other is copied; copies
  /// count in the model's memory.
  std::vector<NdArray> RowMajorOutputs(std::size_t index);
  /// Row-major copies of the arrays of all outputs, which count in the model's memory.
  std::vector<NdArray> OutputCopies();

 private:
  /// What a run has left to keep for the next one.
  struct NewStates {
    std::vector<NdArray> replaced;  ///< by state; not defined for states that grow
    std::vector<int64_t> lengths;   ///< by state; of those that grow
  };

  /// Returns an input as the program reads it: row-major, bools as 0 and 1. If the array that was set is not like that,
  /// it is copied, and the copy counts in the model's memory.
  NdArray ReadableInput(std::size_t index);
  bool FitsInputs(const Entry& entry) const;
  /// Reads the inputs that are no states into `arrays_`.
  void ReadInputs();
  /// Gives its first value to every state that has no value.
  void BeginStates();
  void BeginWithStates(bool keep_all, const RunOptions& options);
  /// Provides memory for the new values of states that the program makes beside the former ones.
  void ReserveNext(const Program& program);
  /// EntryFor with the key of a pending run, for a program that serves all lengths of the states.
  Entry& EntryForAnyLength(const ProgramKey& key, int threads);
  /// Throws Error(kInput) if the state would exceed BuildOptions::max_state_length.
  void CheckLength(const StatePair& pair, int64_t length) const;
  /// Checks the lengths that a run of the program would give.
  void CheckLengths(const Program& program) const;
  Entry& EntryForInputs(bool keep_all, int threads);
  ExecutionContext& ContextOf(Entry& entry);
  /// Calls `take`, which allocates. If the budget has no room, frees the memory of other programs and calls it again.
  void WithinBudget(const std::function<void()>& take);

  std::shared_ptr<BuiltGraph> graph_;
  std::vector<NdArray> given_;   ///< the inputs as they were set; not defined before
  std::vector<NdArray> arrays_;  ///< the inputs as the last run read them (ReadableInput)
  SessionStates states_;
  PendingRun pending_;
  NewStates new_states_;
  NdArray scratch_;
  RecentPrograms<Entry> programs_;
  int threads_ = 0;
  std::atomic_flag in_use_ = ATOMIC_FLAG_INIT;
  bool finished_ = false;  ///< whether the last run has finished
};

/// Calls `act`, whose errors then begin with the place of a session in a list.
template <class Act>
void NamingSession(std::size_t index, Act act) {
  try {
    act();
  } catch (const Error& error) {
    throw Error(error.code(), "session " + std::to_string(index) + ": " + error.what());
  }
}

/// Runs several runners of one graph on the inputs set, jointly (RunJointly). After an error all states are what they
/// were before.
void RunTogether(const std::vector<Runner*>& runners, const RunOptions& options);

/// All arrays in a value, depth first.
void FlattenArrays(const Value& value, std::vector<NdArray>& arrays);

/// A row-major copy of an array.
NdArray CopyOf(const NdArray& array);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../data/ndarray.hpp"
#include "run_options.hpp"

namespace kuiper_infer {

class Runner;
class RuntimeGraph;
class SessionStates;
struct BuiltGraph;

/// The states of a session at one moment. Copies share it; it never changes.
class StateSnapshot {
 public:
  StateSnapshot() = default;

 private:
  friend class Runner;
  std::shared_ptr<const BuiltGraph> graph_;  ///< of the session
  std::shared_ptr<const SessionStates> states_;
};

/// Runs a built graph in one thread, with inputs and memory of its own. Weights and plans belong to the graph and are
/// shared: any number of sessions may run at once, each in its own thread, and give the same bits as a single one.
/// RuntimeGraph::NewSession makes a session. It may outlive the graph object, and may be handed from thread to thread
/// between calls.
///
/// **States.** A model may have outputs that are inputs of the next run: keys and values of attention, hidden states of
/// recurrent layers, the last frames of a stream. Its file says so (`state=N` of a pnnx.Input), or
/// BuildOptions::states. A session keeps them from run to run: they are neither among the inputs to set nor among the
/// outputs. If the model concatenates new elements to such an input, the state *grows*: the elements are written behind
/// the former ones, and one plan serves every length. With a *window* (`window=N` of the pnnx.Input, or
/// NamedState::window) the state keeps the last N elements: a run reads at most N and joins its new ones to them, and
/// those before the last N are dropped after it. Any other state is *replaced* by its output. After an error in a run
/// the states are what they were before it.
class Session {
 public:
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Sets an input of the next runs, as RuntimeGraph::set_input does.
  void set_input(const std::string& input_name, const NdArray& array);
  /// Runs on the inputs set. Throws Error; the session can be used again after it.
  void Run(const RunOptions& options = {});
  /// Sets the inputs that are named, runs, and returns what outputs() returns.
  std::vector<NdArray> Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options = {});

  /// Runs several sessions of one graph at once, each on its own inputs and states, and returns the outputs of each as
  /// Run does. The sessions share the reading of weights: products by a constant weight are made for the rows of all of
  /// them, even if some have more rows than others, so that a step of many sequences takes little longer than a step of
  /// one, and a part of a prompt beside it little longer than alone. All else is computed for each session apart.
  /// `options` hold for the run as a whole; threads and progress are those of the first session. Results are those of
  /// Run, up to the rounding of a product's sums, since the number of rows may choose another kernel. Throws Error, and
  /// leaves all states as they were; the error names a session whose inputs don't fit by its place.
  static std::vector<std::vector<NdArray>> RunTogether(const std::vector<Session*>& sessions,
                                                       const std::vector<std::map<std::string, NdArray>>& inputs,
                                                       const RunOptions& options = {});
  /// Runs several sessions at once on the inputs that each has been given by set_input. outputs() of a session returns
  /// its results.
  static void RunTogether(const std::vector<Session*>& sessions, const RunOptions& options = {});

  /// Gives all states their first values: those of the file, otherwise zeros, and no elements if a state grows. A state
  /// can also be given a first value by set_input.
  void Reset();
  /// The number of elements of the first state that grows, along its axis; 0 if there is none. With a window it is the
  /// number that the state holds, at most the window, not the number that runs have joined.
  int64_t Length() const;
  /// Drops the last elements of all states that grow, so that Length() is `length`. Throws Error(kState), and changes
  /// nothing, if there are fewer elements, if a state is replaced in each run, or if a window has dropped elements,
  /// which cannot come back.
  void Truncate(int64_t length);
  /// A copy of the states, which shares no memory with them.
  StateSnapshot Snapshot() const;
  /// Sets the states to those of a snapshot of this session or of another session of the same graph. Throws
  /// Error(kState) for a snapshot of another graph.
  void Restore(const StateSnapshot& snapshot);
  /// Writes the states to a file, which is complete or not there.
  void Save(const std::string& path) const;
  /// Reads states that Save wrote for the same model. Throws Error(kFile) that names the path if the file is no such
  /// file, cut, altered or of another model; the states are then unchanged.
  void Load(const std::string& path);
  /// Bytes of memory of the states.
  int64_t StateBytes() const;

  /// Row-major copies of the arrays of all outputs, tuples and lists flattened in order. Throws Error(kState) before
  /// the first run, as the next three functions do.
  std::vector<NdArray> outputs() const;
  /// The arrays of all outputs without a copy: views of the session's memory, which are invalid after the next Run and
  /// after the session's end. They need not be row-major.
  std::vector<NdArray> output_views() const;
  /// Views of the arrays of one output, which are several if it is a tuple or list. Throws Error(kInput) for an unknown
  /// name.
  std::vector<NdArray> output_views(const std::string& output_name) const;

  /// The arrays of one output, row-major. An array that is row-major already is a view of the session's memory, which
  /// is invalid after the next Run and after the session's end; any other is copied, and the copy counts in
  /// BuildOptions::max_memory_bytes as long as it lives.
  std::vector<NdArray> row_major_outputs(const std::string& output_name) const;

  /// Sets the number of threads of this session's runs; 0: the graph's number.
  void set_num_threads(int count);

 private:
  friend class RuntimeGraph;
  class AllInUse;
  explicit Session(std::shared_ptr<BuiltGraph> graph);

  std::unique_ptr<Runner> runner_;
};

}  // namespace kuiper_infer

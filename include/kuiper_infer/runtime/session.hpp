// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../data/ndarray.hpp"
#include "run_options.hpp"

namespace kuiper_infer {

class Runner;
class RuntimeGraph;
struct BuiltGraph;

/// Runs a built graph in one thread, with inputs and memory of its own. Weights and plans belong to the graph and are
/// shared: any number of sessions may run at once, each in its own thread, and give the same bits as a single one.
/// RuntimeGraph::NewSession makes a session. It may outlive the graph object, and may be handed from thread to thread
/// between calls.
class Session {
 public:
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Sets an input of the next runs, as RuntimeGraph::set_input does.
  void set_input(const std::string& input_name, const NdArray& array);
  /// Runs on the inputs set. Throws Error; the session can be used again after it.
  void Run(const RunOptions& options = {});
  /// Row-major copies of the arrays of all outputs, tuples and lists flattened in order. Throws Error(kState) before
  /// the first run, as the next three functions do.
  std::vector<NdArray> outputs() const;
  /// The arrays of all outputs without a copy: views of the session's memory, which are invalid after the next Run and
  /// after the session's end. They need not be row-major.
  std::vector<NdArray> output_views() const;
  /// Views of the arrays of one output, which are several if it is a tuple or list. Throws Error(kInput) for an unknown
  /// name.
  std::vector<NdArray> output_views(const std::string& output_name) const;

  /// The arrays of one output, row-major. An array that is row-major already is a view as above; any other is copied,
  /// and the copy counts in BuildOptions::max_memory_bytes as long as it lives.
  std::vector<NdArray> row_major_outputs(const std::string& output_name) const;

  /// Sets the number of threads of this session's runs; 0: the graph's number.
  void set_num_threads(int count);

 private:
  friend class RuntimeGraph;
  explicit Session(std::shared_ptr<BuiltGraph> graph);

  std::unique_ptr<Runner> runner_;
};

}  // namespace kuiper_infer

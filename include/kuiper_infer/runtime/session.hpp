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

/// Runs of a built graph by one thread, with inputs and memory of their own. Weights and plans are the graph's: any
/// number of sessions may run at once, each in its thread, and give the same bits as one. A session is made by
/// RuntimeGraph::NewSession, outlives the graph if need be, and may move from thread to thread between calls.
class Session {
 public:
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Sets an input of the next runs, as RuntimeGraph::set_input does.
  void set_input(const std::string& input_name, const NdArray& array);
  /// Runs on the inputs set. Throws Error; the session can be used again after it.
  void Run(const RunOptions& options = {});
  /// The arrays of all outputs, tuples and lists flattened in order: copies.
  std::vector<NdArray> outputs() const;
  /// The arrays of all outputs without copying: views of the session's memory, which the next Run and the session's end
  /// invalidate. They need not be row-major.
  std::vector<NdArray> output_views() const;
  /// Views of one output, several where it is a tuple or list. Throws Error(kInput) for an unknown name.
  std::vector<NdArray> output_views(const std::string& output_name) const;

  /// The arrays of one output, row-major: views as above where they lie so, otherwise copies, which count in
  /// BuildOptions::max_memory_bytes as long as they live.
  std::vector<NdArray> row_major_outputs(const std::string& output_name) const;

  /// Threads of this session's runs; 0: as many as the graph's.
  void set_num_threads(int count);

 private:
  friend class RuntimeGraph;
  explicit Session(std::shared_ptr<BuiltGraph> graph);

  std::unique_ptr<Runner> runner_;
};

}  // namespace kuiper_infer

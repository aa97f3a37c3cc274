// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/ndarray.hpp"
#include "runtime/build_options.hpp"
#include "runtime/run_options.hpp"
#include "runtime/runtime_graph.hpp"

namespace kuiper_infer {

/// The common case in three lines:
///
///     const auto model = kuiper_infer::Model::Load("resnet18.pnnx.param", "resnet18.pnnx.bin");
///     const auto image = NdArray::View(pixels, {1, 3, 224, 224});       // your memory, read in place
///     const float* scores = model.Run(image).front().data<float>();
///
/// Arrays are row-major, of any rank and element type. Copies of a model share everything. Any number of threads may
/// run a model at once; each of these runs has memory of its own, which is kept for later runs. All functions throw
/// Error.
///
/// BuildOptions::num_threads is the number of threads of each run, RunOptions::num_threads that of one run;
/// docs/threads-and-memory.md describes the default.
class Model {
 public:
  /// An input as the file records it. An extent of -1 is free. Other extents, such as the batch, may also differ from
  /// the recorded ones if the network allows it.
  struct Input {
    std::string name;
    TensorSpec spec;
  };

  /// An output for inputs of the recorded shapes: one array, or several if it is a tuple or list. Extents of -1 depend
  /// on free extents of the inputs or on their contents (RuntimeGraph::output_specs).
  struct Output {
    std::string name;
    std::vector<TensorSpec> specs;

    /// A name for each array: the output's name if there is one array, otherwise "NAME.0", "NAME.1" and so on.
    std::vector<std::string> array_names() const;
  };

  /// Loads a model from its two files and plans it for the recorded shapes if these are static, or for one token if a
  /// state grows (RuntimeGraph::Build).
  static Model Load(const std::string& param_path, const std::string& bin_path, const BuildOptions& options = {});

  /// Loads a model from the contents of its two files, for example from resources of the program. Neither is needed
  /// after the call.
  static Model LoadFromMemory(std::string_view param_text, std::string_view bin_bytes,
                              const BuildOptions& options = {});

  /// The inputs in the file's order.
  const std::vector<Input>& inputs() const;
  /// The outputs in the file's order.
  const std::vector<Output>& outputs() const;
  /// The names of the outputs, in the same order.
  const std::vector<std::string>& output_names() const;

  /// Runs on inputs given by name. Contiguous arrays are read in place during the call. Returns the arrays of all
  /// outputs in the file's order, tuples and lists flattened: row-major, in memory of their own.
  std::vector<NdArray> Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options = {}) const;
  /// Runs a model that has exactly one input.
  std::vector<NdArray> Run(const NdArray& input, const RunOptions& options = {}) const;

  /// A session, whose runs continue the model's states (Session). Run begins with the first values each time.
  Session NewSession() const;
  /// The states of the model, which are neither among inputs() nor among outputs().
  std::vector<RuntimeGraph::State> states() const;

  /// A built graph on the model's operators and weights, for a look inside: shapes for other inputs, profiles, values
  /// of operands (RuntimeGraph). The model can run at the same time.
  std::unique_ptr<RuntimeGraph> NewGraph() const;

 private:
  struct Impl;
  explicit Model(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<Impl> impl_;
};

}  // namespace kuiper_infer

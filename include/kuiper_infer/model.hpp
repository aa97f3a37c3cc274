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

namespace kuiper_infer {

class RuntimeGraph;

/// The common case in three lines:
///
///     const auto model = kuiper_infer::Model::Load("resnet18.pnnx.param", "resnet18.pnnx.bin");
///     const auto image = NdArray::View(pixels, {1, 3, 224, 224});       // your memory, read in place
///     const float* scores = model.Run(image).front().data<float>();
///
/// Arrays are row-major, of any rank and element type. A model may be copied (copies share all) and run by any number
/// of threads at once; each run then has memory of its own, which is kept for the next. Everything throws Error.
///
/// `options.num_threads` of Load and of Run say how many threads compute a run, for all runs and for one; see
/// docs/threads-and-memory.md for the default.
class Model {
 public:
  /// An input as the file records it: extents of -1 may have any value, but batch and sizes may differ from the file's
  /// wherever the network allows it.
  struct Input {
    std::string name;
    TensorSpec spec;
  };

  /// An output for inputs of the recorded shapes: one array, or several where it is a tuple or list. Extents of -1
  /// depend on free extents of the inputs or on their contents (RuntimeGraph::output_specs).
  struct Output {
    std::string name;
    std::vector<TensorSpec> specs;

    /// A name for each array: the output's own for its only one, else "NAME.0", "NAME.1" and so on.
    std::vector<std::string> array_names() const;
  };

  static Model Load(const std::string& param_path, const std::string& bin_path, const BuildOptions& options = {});

  /// Loads a model from the contents of its two files, such as resources of the program or an archive of one's own.
  /// Both are read at once: neither is needed after the call.
  static Model LoadFromMemory(std::string_view param_text, std::string_view bin_bytes,
                              const BuildOptions& options = {});

  const std::vector<Input>& inputs() const;
  const std::vector<Output>& outputs() const;
  const std::vector<std::string>& output_names() const;

  /// Runs on inputs by their names; contiguous arrays are read in place. Gives the arrays of all outputs in the file's
  /// order, tuples and lists flattened.
  std::vector<NdArray> Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options = {}) const;
  /// Runs a model with one input.
  std::vector<NdArray> Run(const NdArray& input, const RunOptions& options = {}) const;

  /// A graph of one's own on the model's operators and weights, built, for looking inside: shapes for other inputs,
  /// profiles, operands' values (RuntimeGraph). Runs of the model go on beside it.
  std::unique_ptr<RuntimeGraph> NewGraph() const;

 private:
  struct Impl;
  explicit Model(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<Impl> impl_;
};

}  // namespace kuiper_infer

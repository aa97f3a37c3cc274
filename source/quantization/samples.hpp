// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::quantization {

/// Inputs by which a model is observed and judged. They are read anew in each pass: there may be more than memory
/// holds.
struct Samples {
  std::size_t count = 0;
  /// The arrays of a sample in the order of the model's inputs. Throws Error that names the file.
  std::function<std::vector<NdArray>(std::size_t)> read;
  /// What errors call a sample.
  std::function<std::string(std::size_t)> name;
};

/// All samples, or `most` of them, evenly spread.
Samples SomeOf(const Samples& samples, std::size_t most);

/// What is told of long work: its part, how much of it is done, and of how much.
using Progress = std::function<void(const std::string& part, std::size_t done, std::size_t total)>;

/// Runs a built graph on a sample and gives its outputs. Throws Error naming the sample, also where an input holds a
/// NaN.
std::vector<NdArray> RunSample(RuntimeGraph& graph, const Samples& samples, std::size_t index);

}  // namespace kuiper_infer::quantization

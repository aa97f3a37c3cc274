// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::quantization {

/// Inputs by which a model is observed and judged. Each pass reads them anew, because memory may not hold all of them.
struct Samples {
  std::size_t count = 0;
  /// The arrays of a sample in the order of the model's inputs. Throws Error that names the file.
  std::function<std::vector<NdArray>(std::size_t)> read;
  /// The name of a sample in error messages.
  std::function<std::string(std::size_t)> name;
};

/// The indices of all samples, or of `most` of them, evenly spread.
Samples SomeOf(const Samples& samples, std::size_t most);

/// A report on long work: the name of its part, how much of the part is done, and the whole amount.
using Progress = std::function<void(const std::string& part, std::size_t done, std::size_t total)>;

/// Runs a built graph on a sample and returns its outputs. Throws Error that names the sample, also if an input holds a
/// NaN.
std::vector<NdArray> RunSample(RuntimeGraph& graph, const Samples& samples, std::size_t index);

}  // namespace kuiper_infer::quantization

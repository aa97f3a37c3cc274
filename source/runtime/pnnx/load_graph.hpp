// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/pnnx/weight_reader.hpp"

namespace kuiper_infer {

/// A graph that the library has loaded for itself.
struct LoadedGraph {
  std::unique_ptr<pnnx::Graph> graph;
  std::string weights;  ///< a text that identifies its weights (ReadWeights); empty if it has no archive
};

// These functions throw what pnnx::Graph::Load throws, and what ReadWeights throws.

LoadedGraph LoadGraph(const std::string& param_path, const std::string& bin_path, int64_t most_bytes,
                      WeightReading reading);

/// With WeightReading::kWhenNeeded, `bin_bytes` must stay until all weights have been read.
LoadedGraph LoadGraphFromMemory(std::string_view param_text, std::string_view bin_bytes, int64_t most_bytes,
                                WeightReading reading);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "bench_util.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::bench {

/// Random arrays for all inputs of a graph, by their names. Extents that the file leaves open are 256.
inline std::map<std::string, NdArray> RandomInputs(const RuntimeGraph& graph) {
  constexpr int64_t kFreeExtent = 256;
  std::map<std::string, NdArray> inputs;
  for (const std::string& name : graph.input_names()) {
    TensorSpec spec = graph.input_spec(name);
    for (int64_t& extent : spec.shape) extent = extent < 0 ? kFreeExtent : extent;
    NdArray input(RuntimeDataType::kTypeFloat32, spec.shape);
    const Floats values = RandomFloats(input.size());
    std::copy(values.begin(), values.end(), input.data<float>());
    inputs.emplace(name, input.To(spec.type));
  }
  return inputs;
}

}  // namespace kuiper_infer::bench

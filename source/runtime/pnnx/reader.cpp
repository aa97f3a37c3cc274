// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/ir.h"
#include "runtime/pnnx/load_graph.hpp"

namespace pnnx {

using kuiper_infer::WeightReading;

void Graph::Load(const std::string& param_path, const std::string& bin_path, int64_t most_bytes) {
  Swap(*kuiper_infer::LoadGraph(param_path, bin_path, most_bytes, WeightReading::kNow).graph);
}

void Graph::LoadFromMemory(std::string_view param_text, std::string_view bin_bytes, int64_t most_bytes) {
  Swap(*kuiper_infer::LoadGraphFromMemory(param_text, bin_bytes, most_bytes, WeightReading::kNow).graph);
}

void Graph::Swap(Graph& loaded) {
  ops.swap(loaded.ops);
  operands.swap(loaded.operands);
  owned_ops_.swap(loaded.owned_ops_);
  owned_operands_.swap(loaded.owned_operands_);
  by_name_.swap(loaded.by_name_);
}

int Graph::load(const std::string& param_path, const std::string& bin_path) {
  ops.clear();
  operands.clear();
  by_name_.clear();
  owned_ops_.clear();
  owned_operands_.clear();
  error_.clear();
  try {
    Load(param_path, bin_path);
    return 0;
  } catch (const std::exception& error) {
    error_ = error.what();
    return -1;
  }
}

}  // namespace pnnx

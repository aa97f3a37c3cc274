// SPDX-License-Identifier: MIT
#include "runtime/pnnx/load_graph.hpp"

#include <new>
#include <utility>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/param_reader.hpp"

namespace kuiper_infer {

std::unique_ptr<pnnx::Graph> LoadGraph(const std::string& param_path, const std::string& bin_path, int64_t most_bytes,
                                       WeightReading reading) {
  auto graph = std::make_unique<pnnx::Graph>();
  ReadParam(*graph, pnnx::ParamFile::Open(param_path));
  if (!bin_path.empty()) ReadWeights(*graph, ByteSource::OpenFile(bin_path), most_bytes, reading);
  return graph;
}

std::unique_ptr<pnnx::Graph> LoadGraphFromMemory(std::string_view param_text, std::string_view bin_bytes,
                                                 int64_t most_bytes, WeightReading reading) {
  try {
    auto graph = std::make_unique<pnnx::Graph>();
    ReadParam(*graph, pnnx::ParamFile::FromMemory(param_text));
    ReadWeights(*graph, ByteSource::OfMemory(bin_bytes, "the bin bytes"), most_bytes, reading);
    return graph;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kResource, "the bin bytes: not enough memory to load the model");
  }
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "runtime/pnnx/load_graph.hpp"

#include <new>
#include <utility>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/param_reader.hpp"

namespace kuiper_infer {

LoadedGraph LoadGraph(const std::string& param_path, const std::string& bin_path, int64_t most_bytes,
                      WeightReading reading) {
  LoadedGraph loaded{std::make_unique<pnnx::Graph>(), ""};
  ReadParam(*loaded.graph, pnnx::ParamFile::Open(param_path));
  if (bin_path.empty()) return loaded;
  loaded.weights = ReadWeights(*loaded.graph, ByteSource::OpenFile(bin_path), most_bytes, reading);
  return loaded;
}

LoadedGraph LoadGraphFromMemory(std::string_view param_text, std::string_view bin_bytes, int64_t most_bytes,
                                WeightReading reading) {
  try {
    LoadedGraph loaded{std::make_unique<pnnx::Graph>(), ""};
    ReadParam(*loaded.graph, pnnx::ParamFile::FromMemory(param_text));
    const auto archive = ByteSource::OfMemory(bin_bytes, "the bin bytes");
    loaded.weights = ReadWeights(*loaded.graph, archive, most_bytes, reading);
    return loaded;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kResource, "the bin bytes: not enough memory to load the model");
  }
}

}  // namespace kuiper_infer

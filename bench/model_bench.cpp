// SPDX-License-Identifier: MIT
// Whole models: the line reader that ships in tmp/, and those named in KUIPER_BENCH_MODELS (paths without .pnnx.param,
// separated by colons).
#include <cstdlib>
#include <memory>
#include <sstream>

#include "bench_util.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"

namespace kuiper_infer::bench {
namespace {

constexpr int64_t kFreeExtent = 256;  ///< stands for extents that the file leaves open

void RunModel(benchmark::State& state, const std::string& path, double ceiling) {
  RuntimeGraph graph(path + ".pnnx.param", path + ".pnnx.bin");
  graph.Build();
  for (const std::string& name : graph.input_names()) {
    TensorSpec spec = graph.input_spec(name);
    for (int64_t& extent : spec.shape) extent = extent < 0 ? kFreeExtent : extent;
    NdArray input(RuntimeDataType::kTypeFloat32, spec.shape);
    const Floats values = RandomFloats(input.size());
    std::copy(values.begin(), values.end(), input.data<float>());
    graph.set_input(name, input.To(spec.type));
  }
  graph.Run();
  for (auto _ : state) graph.Run();
  ReportFlops(state, graph.report().multiply_adds, ceiling);
}

void RegisterAll(double ceiling) {
  const char* list = std::getenv("KUIPER_BENCH_MODELS");
  std::istringstream paths(std::string(KUIPER_SOURCE_DIR "/tmp/line_reader") +
                           (list != nullptr ? std::string(":") + list : ""));
  for (std::string path; std::getline(paths, path, ':');) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    benchmark::RegisterBenchmark(name.c_str(), [path, ceiling](benchmark::State& state) {
      RunModel(state, path, ceiling);
    })->UseRealTime();
  }
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}

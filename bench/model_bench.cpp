// SPDX-License-Identifier: MIT
// Whole models: the line reader that ships in tmp/, and those named in KUIPER_BENCH_MODELS (paths without .pnnx.param,
// separated by colons).
#include <cstdlib>
#include <memory>
#include <sstream>

#include "bench_util.hpp"
#include "model_inputs.hpp"

namespace kuiper_infer::bench {
namespace {

void RunModel(benchmark::State& state, const std::string& path, double ceiling) {
  RuntimeGraph graph(path + ".pnnx.param", path + ".pnnx.bin");
  graph.Build();
  for (const auto& [name, array] : RandomInputs(graph)) graph.set_input(name, array);
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

// SPDX-License-Identifier: MIT
// soak RUNS [MODEL ...]: runs each model (default: tmp/line_reader three times over) in turns with changing shapes,
// loads them anew every hundredth time, and prints the memory of the process. Fails where it grows after the first
// fifth.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace {

using kuiper_infer::NdArray;
using kuiper_infer::RuntimeGraph;

constexpr int kReload = 100;

/// Resident memory in KiB.
int64_t ResidentKib() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

/// Free extents get sizes between 32 and 127; fixed ones stay.
NdArray RandomInput(const kuiper_infer::TensorSpec& recorded, std::mt19937& generator) {
  std::uniform_int_distribution<int64_t> extent(32, 127);
  std::uniform_real_distribution<float> value(-1, 1);
  kuiper_infer::TensorSpec spec = recorded;
  for (int64_t& e : spec.shape) e = e < 0 ? extent(generator) : e;
  const NdArray numbers(kuiper_infer::RuntimeDataType::kTypeFloat32, spec.shape);
  for (int64_t i = 0; i < numbers.size(); ++i) numbers.data<float>()[i] = value(generator);
  return numbers.To(spec.type);
}

std::unique_ptr<RuntimeGraph> Load(const std::string& model) {
  auto graph = std::make_unique<RuntimeGraph>(model + ".pnnx.param", model + ".pnnx.bin");
  graph->Build();
  return graph;
}

int Soak(int runs, const std::vector<std::string>& models) {
  std::mt19937 generator(7);
  std::vector<std::unique_ptr<RuntimeGraph>> graphs;
  for (const std::string& model : models) graphs.push_back(Load(model));
  int64_t settled = 0;
  int64_t most = 0;
  for (int run = 0; run < runs; ++run) {
    const std::size_t index = static_cast<std::size_t>(run) % models.size();
    if (run % kReload == kReload - 1) graphs[index] = Load(models[index]);
    RuntimeGraph& graph = *graphs[index];
    for (const std::string& name : graph.input_names()) {
      graph.set_input(name, RandomInput(graph.input_spec(name), generator));
    }
    graph.Run();
    graph.outputs();
    const int64_t resident = ResidentKib();
    if (run < runs / 5) settled = std::max(settled, resident);
    most = std::max(most, resident);
    if (run % std::max(1, runs / 20) == 0) std::printf("%6d runs %8lld KiB\n", run, static_cast<long long>(resident));
  }
  std::printf("%6d runs %8lld KiB, most %lld KiB, most in the first fifth %lld KiB\n", runs,
              static_cast<long long>(ResidentKib()), static_cast<long long>(most), static_cast<long long>(settled));
  // Shapes that come late may be the largest yet.
  return static_cast<double>(most) <= 1.1 * static_cast<double>(settled) + 4096 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 0;
  if (runs < 1) {
    std::fprintf(stderr, "usage: soak RUNS [MODEL ...]     (MODEL.pnnx.param, MODEL.pnnx.bin)\n");
    return 2;
  }
  std::vector<std::string> models(argv + 2, argv + argc);
  if (models.empty()) models.assign(3, std::string(KUIPER_SOURCE_DIR) + "/tmp/line_reader");
  try {
    return Soak(runs, models);
  } catch (const kuiper_infer::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

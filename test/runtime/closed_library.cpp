// SPDX-License-Identifier: MIT
// A plugin that contains the library, which closing_test opens and closes. Only RunModel is visible
// (closed_library.map), because the loader keeps libraries whose unique symbols it has bound.
#include <numeric>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"

/// Builds a small network and runs it on `threads` threads. Returns the sum of its results.
extern "C" double RunModel(int threads) {
  using namespace kuiper_infer;
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "conv", AddInput(*source, 0, {1, 4, 64, 64}), 8, 3);
  pnnx::Operand* y = AddUnary(*source, "F.silu", "silu", {x});
  AddOutput(*source, 0, AddUnary(*source, "torch.matmul", "product", {x, y}));
  RuntimeGraph graph(std::move(source));
  graph.set_num_threads(threads);
  graph.Build();
  const NdArray image(RuntimeDataType::kTypeFloat32, {1, 4, 64, 64});
  for (int64_t i = 0; i < image.size(); ++i) image.data<float>()[i] = static_cast<float>(i * 5 % 23) / 16 - 0.7F;
  graph.set_input("pnnx_input_0", image);
  graph.Run();
  const NdArray result = graph.outputs().front();
  return std::accumulate(result.data<float>(), result.data<float>() + result.size(), 0.0);
}

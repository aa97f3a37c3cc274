// SPDX-License-Identifier: MIT
// Softmax, normalisations and recurrent nets of the shapes that well-known networks have.
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "kernel/normalization/row_normalization.hpp"
#include "kernel/normalization/scale_shift.hpp"
#include "kernel/normalization/softmax.hpp"
#include "kernel/recurrent/rnn.hpp"

namespace kuiper_infer::bench {
namespace {

using kernel::NormalizationGeometry;
using kernel::NormalizationKind;

int64_t Bytes(const Floats& values) { return static_cast<int64_t>(values.size() * sizeof(float)); }

void RunSoftmax(benchmark::State& state, const AxisGeometry& geometry) {
  const Floats input = RandomFloats(geometry.size());
  std::vector<float> output(input.size());
  for (auto _ : state) {
    kernel::Softmax(kernel::SoftmaxKind::kSoftmax, geometry, input.data(), output.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, 2 * Bytes(input));
}

void RunNormalization(benchmark::State& state, NormalizationKind kind, const NormalizationGeometry& geometry) {
  const Floats input = RandomFloats(geometry.rows * geometry.channels * geometry.inner);
  const Floats weight = RandomFloats(geometry.groups * geometry.channels);
  std::vector<float> output(input.size());
  for (auto _ : state) {
    kernel::NormalizeRows(kind, geometry, 1e-5, input.data(), weight.data(), weight.data(), output.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, 2 * Bytes(input));
}

void RunScaleShift(benchmark::State& state, const AxisGeometry& geometry) {
  const Floats input = RandomFloats(geometry.size());
  const Floats scale = RandomFloats(geometry.extent);
  std::vector<float> output(input.size());
  for (auto _ : state) {
    kernel::ScaleShift(geometry, input.data(), scale.data(), scale.data(), output.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, 2 * Bytes(input));
}

void RunLstm(benchmark::State& state, int64_t steps, int64_t batch, int64_t size, double ceiling) {
  kernel::RecurrentGeometry geometry;
  geometry.steps = steps;
  geometry.batch = geometry.step_rows = batch;
  geometry.input_size = geometry.hidden_size = geometry.state_size = geometry.output_pitch = size;
  const Floats input = RandomFloats(steps * batch * size);
  const Floats weight = RandomFloats(4 * size * size);
  const Floats bias = RandomFloats(4 * size);
  std::vector<float> output(input.size());
  Floats hidden(static_cast<std::size_t>(batch * size));
  std::vector<float> cell(hidden.size());
  Floats workspace(static_cast<std::size_t>(kernel::RecurrentWorkspace(geometry)));
  const kernel::RecurrentWeights<float> weights{weight.data(), weight.data(), bias.data(), bias.data(), nullptr};
  for (auto _ : state) {
    kernel::RunRecurrent(geometry, weights, input.data(), output.data(), hidden.data(), cell.data(), workspace.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportFlops(state, 8.0 * static_cast<double>(steps * batch * size * size), ceiling);
}

void RegisterAll(double ceiling) {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->UseRealTime();
  };
  add("Softmax/Attention197", RunSoftmax, AxisGeometry{12 * 197, 197, 1});
  add("Softmax/Classes1000", RunSoftmax, AxisGeometry{1, 1000, 1});
  add("Softmax/Vocabulary", RunSoftmax, AxisGeometry{16, 50257, 1});
  add("Softmax/Segmentation", RunSoftmax, AxisGeometry{1, 21, 513 * 513});
  add("LayerNorm/ViT", RunNormalization, NormalizationKind::kVariance, NormalizationGeometry{197, 1, 768, 1});
  add("RmsNorm/LLaMA", RunNormalization, NormalizationKind::kRootMeanSquare, NormalizationGeometry{128, 1, 4096, 1});
  add("GroupNorm/UNet", RunNormalization, NormalizationKind::kVariance, NormalizationGeometry{32, 32, 10, 64 * 64});
  add("InstanceNorm/Style", RunNormalization, NormalizationKind::kVariance,
      NormalizationGeometry{64, 64, 1, 256 * 256});
  add("BatchNorm/DenseNet", RunScaleShift, AxisGeometry{1, 256, 56 * 56});
  add("LSTM/Tagger", RunLstm, 128, 1, 256, ceiling);
  add("LSTM/Batch32", RunLstm, 64, 32, 256, ceiling);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}

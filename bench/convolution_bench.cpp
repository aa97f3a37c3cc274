// SPDX-License-Identifier: MIT
// Convolutions of the sample networks, batch 1: GFLOP/s of kernel::Convolution.

#include "bench_util.hpp"
#include "kernel/convolution.hpp"
#include "kernel/packed_gemm.hpp"
#include "shape/window.hpp"

namespace kuiper_infer::bench {
namespace {

struct Layer {
  const char* name;
  int64_t channels_in, channels_out, groups, extent, kernel, stride, padding;
};

constexpr Layer kLayers[] = {
    {"resnet/conv1", 3, 64, 1, 224, 7, 2, 3},
    {"resnet/stage1_3x3", 64, 64, 1, 56, 3, 1, 1},
    {"resnet/stage2_3x3_s2", 64, 128, 1, 56, 3, 2, 1},
    {"resnet/stage2_3x3", 128, 128, 1, 28, 3, 1, 1},
    {"resnet/stage2_1x1_s2", 64, 128, 1, 56, 1, 2, 0},
    {"resnet/stage3_3x3", 256, 256, 1, 14, 3, 1, 1},
    {"resnet/stage4_3x3", 512, 512, 1, 7, 3, 1, 1},
    {"resnet50/stage1_expand", 64, 256, 1, 56, 1, 1, 0},
    {"resnet50/stage3_reduce", 1024, 256, 1, 14, 1, 1, 0},
    {"mobilenetv2/conv1", 3, 32, 1, 224, 3, 2, 1},
    {"mobilenetv2/dw_96_s2", 96, 96, 96, 112, 3, 2, 1},
    {"mobilenetv2/dw_144", 144, 144, 144, 56, 3, 1, 1},
    {"mobilenetv2/dw_576", 576, 576, 576, 14, 3, 1, 1},
    {"mobilenetv2/dw_960", 960, 960, 960, 7, 3, 1, 1},
    {"mobilenetv2/expand_24_144", 24, 144, 1, 56, 1, 1, 0},
    {"efficientnet/dw5_240", 240, 240, 240, 28, 5, 1, 2},
    {"yolov5s/conv1", 3, 32, 1, 640, 6, 2, 2},
    {"yolov5s/3x3_64_128_s2", 64, 128, 1, 160, 3, 2, 1},
    {"yolov5s/3x3_128", 128, 128, 1, 40, 3, 1, 1},
    {"resnext/3x3_g32", 128, 128, 32, 56, 3, 1, 1},
};

void RunLayer(benchmark::State& state, const Layer& layer, double ceiling) {
  kernel::ConvolutionGeometry geometry;
  geometry.channels_in = layer.channels_in;
  geometry.channels_out = layer.channels_out;
  geometry.groups = layer.groups;
  const Window window{layer.kernel, layer.stride, layer.padding, layer.padding, 1};
  geometry.grid = MakeWindowGrid({layer.extent, layer.extent}, {window, window});
  const auto schedule = kernel::ScheduleConvolution(geometry, sizeof(float), MaxThreads());
  const Floats input = RandomFloats(geometry.channels_in * geometry.grid.image_size());
  const Floats weight =
      RandomFloats(geometry.channels_out * geometry.channels_in / geometry.groups * geometry.grid.taps());
  const Floats bias = RandomFloats(geometry.channels_out);
  Floats output(static_cast<std::size_t>(geometry.channels_out * geometry.grid.position_count()));
  std::vector<std::byte> workspace(static_cast<std::size_t>(schedule.workspace_bytes));
  Floats packed;
  const int64_t rows = geometry.channels_out / geometry.groups;
  const int64_t depth = geometry.channels_in / geometry.groups * geometry.grid.taps();
  if (kernel::HasPackedGemm()) {
    packed.resize(static_cast<std::size_t>(geometry.groups * kernel::PackedLeftSize(rows, depth)));
    for (int64_t group = 0; group < geometry.groups; ++group) {
      kernel::PackLeft(rows, depth, weight.data() + group * rows * depth, depth,
                       packed.data() + group * kernel::PackedLeftSize(rows, depth));
    }
  }
  const kernel::ConvolutionWeight<float> weights{weight.data(), packed.empty() ? nullptr : packed.data(), bias.data()};
  for (auto _ : state) {
    kernel::Convolution<float>(geometry, schedule, input.data(), weights, {}, output.data(), workspace.data());
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, geometry.multiply_adds(), ceiling);
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer::bench;
  return RunBenchmarks(argc, argv, [](double ceiling) {
    for (const Layer& layer : kLayers) {
      benchmark::RegisterBenchmark(layer.name, RunLayer, layer, ceiling)->Unit(benchmark::kMicrosecond)->UseRealTime();
    }
  });
}

// SPDX-License-Identifier: MIT
// Convolutions of the sample networks: GFLOP/s of the planar reference, of each channels-last method in float32 and in
// integers (the chosen method of each first) and, if it is installed, of oneDNN.

#include <cmath>

#include "bench_util.hpp"
#include "kernel/convolution/channels_last.hpp"
#include "kernel/convolution/choose_method.hpp"
#include "kernel/convolution/convolution.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "onednn_convolution.hpp"
#include "shape/window.hpp"

namespace kuiper_infer::bench {
namespace {

struct Layer {
  const char* name;
  int64_t channels_in, channels_out, groups, extent, kernel, stride, padding;
  int64_t batch = 1;
};

constexpr Layer kLayers[] = {
    {"resnet/conv1", 3, 64, 1, 224, 7, 2, 3},
    {"resnet/stage1_3x3", 64, 64, 1, 56, 3, 1, 1},
    {"resnet/stage2_3x3_s2", 64, 128, 1, 56, 3, 2, 1},
    {"resnet/stage2_3x3", 128, 128, 1, 28, 3, 1, 1},
    {"resnet/stage2_1x1_s2", 64, 128, 1, 56, 1, 2, 0},
    {"resnet/stage3_3x3", 256, 256, 1, 14, 3, 1, 1},
    {"resnet/stage4_3x3", 512, 512, 1, 7, 3, 1, 1},
    {"resnet/stage3_3x3_batch8", 256, 256, 1, 14, 3, 1, 1, 8},
    {"resnet/stage4_3x3_batch8", 512, 512, 1, 7, 3, 1, 1, 8},
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

kernel::ConvolutionGeometry GeometryOf(const Layer& layer) {
  kernel::ConvolutionGeometry geometry;
  geometry.batch = layer.batch;
  geometry.channels_in = layer.channels_in;
  geometry.channels_out = layer.channels_out;
  geometry.groups = layer.groups;
  const Window window{layer.kernel, layer.stride, layer.padding, layer.padding, 1};
  geometry.grid = MakeWindowGrid({layer.extent, layer.extent}, {window, window});
  return geometry;
}

int64_t WeightSize(const kernel::ConvolutionGeometry& geometry) {
  return geometry.channels_out * geometry.group_depth();
}

int64_t InputSize(const kernel::ConvolutionGeometry& geometry) {
  return geometry.batch * geometry.channels_in * geometry.grid.image_size();
}

std::size_t OutputSize(const kernel::ConvolutionGeometry& geometry) {
  return static_cast<std::size_t>(geometry.batch * geometry.channels_out * geometry.grid.position_count());
}

/// Planar images, by OpenBLAS: the readable reference.
void RunPlanar(benchmark::State& state, const Layer& layer, double ceiling) {
  const kernel::ConvolutionGeometry geometry = GeometryOf(layer);
  const auto schedule = kernel::ScheduleConvolution(geometry, sizeof(float), MaxThreads());
  const Floats input = RandomFloats(InputSize(geometry));
  const Floats weight = RandomFloats(WeightSize(geometry));
  const Floats bias = RandomFloats(geometry.channels_out);
  Floats output(OutputSize(geometry));
  std::vector<std::byte> workspace(static_cast<std::size_t>(schedule.workspace_bytes));
  for (auto _ : state) {
    kernel::Convolution<float>(geometry, schedule, input.data(), {weight.data(), nullptr, bias.data()}, {},
                               output.data(), workspace.data());
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, geometry.multiply_adds(), ceiling);
}

/// Channels-last images of floats, or of bytes that methods in integers give again, by one of the methods. The rate
/// counts the convolution's own operations, of which Winograd's algorithm needs fewer.
void RunChannelsLast(benchmark::State& state, const Layer& layer, const kernel::ConvolutionChoice& choice,
                     double ceiling) {
  const kernel::ConvolutionGeometry geometry = GeometryOf(layer);
  const bool integers = choice.in_integers();
  const int64_t channels = geometry.channels_in;
  const int64_t row = geometry.grid.image[2] * channels;
  const kernel::ImageStrides steps{geometry.grid.image_size() * channels, 0, row, channels, 1};
  const auto convolution = kernel::ScheduleChannelsLast(geometry, steps, MaxThreads(), choice);
  const Floats input = RandomFloats(InputSize(geometry));
  Floats weight = RandomFloats(WeightSize(geometry));
  const Floats bias = RandomFloats(geometry.channels_out);
  const Floats scales(static_cast<std::size_t>(geometry.channels_out), 1.0F / 127);
  const auto largest = static_cast<float>(geometry.group_depth());
  const kernel::Int8Numbers numbers{{1.0F / 127, 128, 0, 255}, {}, {largest / 127, 100, 0, 255}, scales.data()};
  std::vector<uint8_t> bytes(input.size());
  if (integers) {
    kernel::RoundToBytes(numbers.input, InputSize(geometry), input.data(), bytes.data());
    for (float& number : weight) number = std::trunc(number * 127);
  }
  const kernel::WeightShape shape = kernel::WeightShapeOf(geometry);
  Floats packed(static_cast<std::size_t>(choice.layout().Bytes(shape)) / sizeof(float));
  kernel::PackWhole(choice.layout(), shape, weight.data(), packed.data());
  Floats output(OutputSize(geometry));
  Floats workspace(static_cast<std::size_t>(convolution.workspace_bytes) / sizeof(float) + 1);
  kernel::ChannelsLastArrays arrays;
  arrays.input = integers ? static_cast<const void*>(bytes.data()) : input.data();
  arrays.input_type = arrays.output_type = choice.product->left;
  arrays.weight = packed.data();
  arrays.bias = bias.data();
  arrays.output = output.data();
  arrays.output_strides = {geometry.channels_out, geometry.channels_out * geometry.grid.position_count()};
  arrays.workspace = reinterpret_cast<std::byte*>(workspace.data());
  arrays.int8 = integers ? &numbers : nullptr;
  for (auto _ : state) {
    kernel::ConvolveChannelsLast(convolution, arrays);
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  ReportFlops(state, geometry.multiply_adds(), ceiling);
}

/// Returns the chosen method for a kernel's numbers, then the methods that were compared with it; nothing if no method
/// suits.
std::vector<kernel::ConvolutionChoice> ChoicesFor(const kernel::ConvolutionGeometry& geometry,
                                                  const kernel::ProductKernel& product) {
  const kernel::ConvolutionChoice chosen =
      kernel::ChooseMethod(geometry, true, {MaxThreads(), nullptr, {}, {&product}});
  if (chosen.method == nullptr) return {};
  std::vector<kernel::ConvolutionChoice> choices{chosen};
  for (const kernel::ConvolutionMethod& method : kernel::ConvolutionMethods()) {
    if (chosen.method->cost == nullptr || method.cost == nullptr || &method == chosen.method) continue;
    if (method.suits(geometry, product)) choices.push_back({&method, &product});
  }
  return choices;
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  using namespace kuiper_infer;
  using namespace kuiper_infer::bench;
  return RunBenchmarks(argc, argv, [](double ceiling) {
    for (const Layer& layer : kLayers) {
      const auto add = [&](const std::string& name, auto run, auto... arguments) {
        benchmark::RegisterBenchmark((std::string(layer.name) + "/" + name).c_str(), run, layer, arguments..., ceiling)
            ->Unit(benchmark::kMicrosecond)
            ->UseRealTime();
      };
      add("planar", RunPlanar);
#ifdef KUIPER_HAS_ONEDNN
      add("oneDNN",
          [](benchmark::State& state, const Layer& which, double most) { RunOneDnn(state, GeometryOf(which), most); });
#endif
      const Units units = UsedUnits();
      if (!kernel::HasProductKernels(units)) continue;
      for (const auto* product : {&kernel::Float32Kernel(units.isa), &kernel::Int8KernelOf(units.int8)}) {
        for (const auto& choice : ChoicesFor(GeometryOf(layer), *product)) add(choice.Name(), RunChannelsLast, choice);
      }
    }
  });
}

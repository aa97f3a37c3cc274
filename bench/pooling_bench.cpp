// SPDX-License-Identifier: MIT
// Pooling and resizing of the shapes that well-known networks have.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "kernel/pooling/adaptive_pooling.hpp"
#include "kernel/pooling/pooling.hpp"
#include "kernel/sampling/resize.hpp"

namespace kuiper_infer::bench {
namespace {

struct PoolingShape {
  const char* name;
  int64_t planes;
  int64_t extent;
  int64_t kernel;
  int64_t stride;
  int64_t padding;
};

constexpr PoolingShape kPools[] = {
    {"ResNet/stem", 64, 112, 3, 2, 1},         {"GoogLeNet/pool3", 192, 56, 3, 2, 0},
    {"Inception/branch", 288, 35, 3, 1, 1},    {"YOLOv5/sppf", 256, 20, 5, 1, 2},
    {"VGG/pool1", 64, 224, 2, 2, 0},           {"YOLOv3/spp13", 512, 20, 13, 1, 6},
    {"DenseNet/transition", 128, 56, 2, 2, 0},
};

WindowGrid MakeGrid(const PoolingShape& shape) {
  WindowGrid grid;
  for (int axis = 1; axis < 3; ++axis) {
    grid.image[axis] = shape.extent;
    grid.window[axis] = {shape.kernel, shape.stride, shape.padding, shape.padding, 1};
    grid.positions[axis] = (shape.extent + 2 * shape.padding - shape.kernel) / shape.stride + 1;
  }
  return grid;
}

void RunPooling(benchmark::State& state, const PoolingShape& shape, bool average) {
  const WindowGrid grid = MakeGrid(shape);
  const Floats input = RandomFloats(shape.planes * grid.image_size());
  Floats output(static_cast<std::size_t>(shape.planes * grid.position_count()));
  for (auto _ : state) {
    if (average) {
      kernel::AveragePool(grid, {}, shape.planes, input.data(), output.data());
    } else {
      kernel::MaxPool<float>(grid, shape.planes, input.data(), output.data(), nullptr);
    }
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, static_cast<int64_t>((input.size() + output.size()) * sizeof(float)));
}

void RunGlobalAverage(benchmark::State& state, int64_t planes, int64_t extent) {
  const Floats input = RandomFloats(planes * extent * extent);
  Floats output(static_cast<std::size_t>(planes));
  for (auto _ : state) {
    kernel::AdaptiveAveragePool<float>({1, extent, extent}, {1, 1, 1}, planes, input.data(), output.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, static_cast<int64_t>(input.size() * sizeof(float)));
}

void RunResize(benchmark::State& state, kernel::ResizeMode mode, int64_t planes, int64_t from, int64_t to) {
  std::array<kernel::ResizeAxis<float>, 3> axes;
  for (int axis = 1; axis < 3; ++axis) {
    axes[axis] = kernel::MakeResizeAxis<float>(mode, from, to, std::nullopt, false);
  }
  const int64_t workers = kernel::ResizeWorkers(axes, planes, MaxThreads());
  const Floats input = RandomFloats(planes * from * from);
  Floats workspace(static_cast<std::size_t>(workers * from));
  Floats output(static_cast<std::size_t>(planes * to * to));
  for (auto _ : state) {
    kernel::Resize(axes, planes, workers, input.data(), workspace.data(), output.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportBytes(state, static_cast<int64_t>((input.size() + output.size()) * sizeof(float)));
}

void RegisterAll(double) {
  for (const PoolingShape& shape : kPools) {
    for (const bool average : {false, true}) {
      benchmark::RegisterBenchmark((std::string(average ? "Average/" : "Max/") + shape.name).c_str(), RunPooling, shape,
                                   average)
          ->UseRealTime();
    }
  }
  benchmark::RegisterBenchmark("GlobalAverage/ResNet50", RunGlobalAverage, 2048, 7)->UseRealTime();
  benchmark::RegisterBenchmark("GlobalAverage/SqueezeExcite", RunGlobalAverage, 96, 112)->UseRealTime();
  benchmark::RegisterBenchmark("Nearest/YOLOv5", RunResize, kernel::ResizeMode::kNearest, 256, 20, 40)->UseRealTime();
  benchmark::RegisterBenchmark("Bilinear/DeepLab", RunResize, kernel::ResizeMode::kLinear, 21, 65, 513)->UseRealTime();
  benchmark::RegisterBenchmark("Bicubic/SuperResolution", RunResize, kernel::ResizeMode::kCubic, 3, 224, 672)
      ->UseRealTime();
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}

// SPDX-License-Identifier: MIT
// Scaled dot-product attention over a cache of keys and values: the kernel that streams the cache, by element type, and
// the one that multiplies whole matrices.
#include <string>
#include <vector>

#include "bench_util.hpp"
#include "kernel/attention/attention.hpp"
#include "kernel/attention/int8_rows.hpp"
#include "kernel/attention/streamed_attention.hpp"
#include "kernel/attention/streamed_tile.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "utils/half.hpp"

namespace kuiper_infer::bench {
namespace {

struct Geometry {
  int64_t heads;
  int64_t group;
  int64_t rows;
  int64_t length;
  int64_t width;
  bool causal;
};

double MultiplyAdds(const Geometry& g) {
  return 2.0 * static_cast<double>(g.heads * g.group * g.rows * g.length * g.width) * (g.causal ? 0.5 : 1);
}

/// Random keys or values of this type in the memory of floats, which is aligned.
struct Cache {
  Cache(RuntimeDataType type, const Shape& shape)
      : memory(RandomFloats(TensorSpec(type, shape).size())), spec(type, shape) {
    if (type == RuntimeDataType::kTypeFloat32) return;
    const Floats numbers = memory;
    if (type == RuntimeDataType::kTypeBFloat16) {
      for (std::size_t i = 0; i < numbers.size(); ++i)
        reinterpret_cast<BFloat16*>(memory.data())[i] = BFloat16(numbers[i]);
    } else {
      const int64_t row = kernel::Int8RowBytes(shape[3]);
      spec.strides = {shape[1] * shape[2] * row, shape[2] * row, row, 1};
      kernel::RoundToInt8Rows(numbers.data(), TensorSpec(RuntimeDataType::kTypeFloat32, shape), memory.data(), spec);
    }
  }
  int64_t bytes() const { return spec.strides[0] * static_cast<int64_t>(ElementBytes(spec.type)); }

  Floats memory;
  TensorSpec spec;
};

void RunStreamed(benchmark::State& state, const Geometry& g, RuntimeDataType type,
                 const kernel::BFloat16Tiles* rounding, double ceiling) {
  const Shape shape{1, g.heads, g.length, g.width};
  const TensorSpec rows(RuntimeDataType::kTypeFloat32, {1, g.heads * g.group, g.rows, g.width});
  const Floats query = RandomFloats(rows.size());
  const Cache key(type, shape);
  const Cache value(type, shape);
  Floats output(query.size());
  kernel::StreamedAttentionOptions options;
  options.scale = 0.125;
  options.causal = g.causal ? kernel::CausalRule::kFromEnd : kernel::CausalRule::kNone;
  options.threads = MaxThreads();
  options.rounding = rounding;
  kernel::StreamedAttentionArrays arrays;
  arrays.query = {query.data(), &rows};
  arrays.key = {key.memory.data(), &key.spec};
  arrays.value = {value.memory.data(), &value.spec};
  arrays.output = output.data();
  arrays.output_spec = &rows;
  Floats workspace(
      static_cast<std::size_t>(kernel::StreamedAttentionWorkspace(options, rows, key.spec, value.spec, rows) / 4));
  for (auto _ : state) {
    kernel::StreamedAttention(options, arrays, workspace.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportFlops(state, MultiplyAdds(g), ceiling);
  ReportBytes(state, 2 * key.bytes());
}

void RunWhole(benchmark::State& state, const Geometry& g, double ceiling) {
  const auto type = RuntimeDataType::kTypeFloat32;
  const TensorSpec rows(type, {g.heads, g.group, g.rows, g.width});
  const TensorSpec cache(type, {g.heads, g.group, g.length, g.width}, {g.length * g.width, 0, g.width, 1});
  const Floats query = RandomFloats(rows.size());
  const Floats key = RandomFloats(g.heads * g.length * g.width);
  const Floats value = RandomFloats(g.heads * g.length * g.width);
  Floats output(query.size());
  kernel::AttentionOptions options;
  options.scale = 0.125;
  options.causal = g.causal;
  options.threads = MaxThreads();
  options.product = &kernel::Float32Kernel(UsedIsa());
  kernel::AttentionArrays arrays;
  arrays.query = {query.data(), rows};
  arrays.key = {key.data(), cache};
  arrays.value = {value.data(), cache};
  arrays.output = {output.data(), rows};
  Floats workspace(static_cast<std::size_t>(kernel::AttentionWorkspace(options, rows, cache, cache) / 4));
  for (auto _ : state) {
    kernel::Attention(options, arrays, workspace.data());
    benchmark::DoNotOptimize(output.data());
  }
  ReportFlops(state, MultiplyAdds(g), ceiling);
  ReportBytes(state, 8 * static_cast<int64_t>(key.size()));
}

void RunRead(benchmark::State& state, int64_t bytes) {
  const Floats numbers = RandomFloats(bytes / 4);
  for (auto _ : state) {
    ParallelFor(bytes / 256, 64, [&](int64_t first, int64_t last) {
      typedef float Vector __attribute__((vector_size(64)));
      Vector sums[4] = {};
      const auto* at = reinterpret_cast<const Vector*>(numbers.data()) + 4 * first;
      for (int64_t i = first; i < last; ++i, at += 4) {
        for (int v = 0; v < 4; ++v) sums[v] += at[v];
      }
      benchmark::DoNotOptimize(sums);
    });
  }
  ReportBytes(state, bytes);
}

void RegisterAll(double ceiling) {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->UseRealTime();
  };
  for (const int64_t megabytes : {1, 16, 64, 256}) {
    add("Read/" + std::to_string(megabytes) + "MB", RunRead, megabytes << 20);
  }
  const kernel::BFloat16Tiles* const floats = nullptr;
  const kernel::BFloat16Tiles* const rounding = kernel::RoundingTiles(UsedMatrixUnit(), 1);
  const auto add_all = [&](const std::string& name, const Geometry& g) {
    add("Attention/" + name + "/whole", RunWhole, g, ceiling);
    add("Attention/" + name + "/float32", RunStreamed, g, RuntimeDataType::kTypeFloat32, floats, ceiling);
    add("Attention/" + name + "/bfloat16", RunStreamed, g, RuntimeDataType::kTypeBFloat16, floats, ceiling);
    add("Attention/" + name + "/int8", RunStreamed, g, RuntimeDataType::kTypeInt8, floats, ceiling);
    if (rounding == nullptr || kernel::ReadsInPlace(g.group * g.rows)) return;
    add("Attention/" + name + "/bfloat16/rounded", RunStreamed, g, RuntimeDataType::kTypeBFloat16, rounding, ceiling);
  };
  for (const int64_t width : {64, 128}) {
    for (const int64_t rows : {1, 4, 16, 128, 512}) {
      for (const int64_t length : {128, 512, 1024, 4096}) {
        add_all("n" + std::to_string(rows) + "/s" + std::to_string(length) + "/d" + std::to_string(width),
                {8, 4, rows, length, width, false});
      }
    }
    add_all("prompt512/d" + std::to_string(width), {8, 4, 512, 512, width, true});
    add_all("few_heads/n1/s4096/d" + std::to_string(width), {1, 4, 1, 4096, width, false});
  }
}

}  // namespace
}  // namespace kuiper_infer::bench

int main(int argc, char** argv) {
  return kuiper_infer::bench::RunBenchmarks(argc, argv, kuiper_infer::bench::RegisterAll);
}

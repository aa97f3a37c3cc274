// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <omp.h>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::bench {

/// Memory aligned as the library's arrays are: vectors across two cache lines would cost twice.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* data, std::size_t /*count*/) { ::operator delete(data, kAlignment); }
  bool operator==(const AlignedAllocator& /*other*/) const { return true; }
  bool operator!=(const AlignedAllocator& /*other*/) const { return false; }
};

using Floats = std::vector<float, AlignedAllocator<float>>;

/// Numbers in [-1, 1), the same in every run.
inline Floats RandomFloats(int64_t count) {
  std::mt19937 generator(42);
  std::uniform_real_distribution<float> distribution(-1, 1);
  Floats values(static_cast<std::size_t>(count));
  for (float& value : values) value = distribution(generator);
  return values;
}

#if defined(__x86_64__)
#define KUIPER_BENCH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KUIPER_BENCH_CLONES
#endif

/// Independent chains of multiply-adds on registers; returns how many one thread did. `sink` keeps the result alive.
KUIPER_BENCH_CLONES inline int64_t RunMultiplyAdds(int64_t rounds, float* sink) {
  typedef float Vector __attribute__((vector_size(64)));
  constexpr int kChains = 12;  // enough to cover the latency of two units
  constexpr int kLanes = sizeof(Vector) / sizeof(float);
  Vector sums[kChains];
  for (int chain = 0; chain < kChains; ++chain) sums[chain] = Vector{} + static_cast<float>(chain);
  const Vector factor = Vector{} + 0.999F;
  const Vector addend = Vector{} + 0.001F;
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int chain = 0; chain < kChains; ++chain) sums[chain] = sums[chain] * factor + addend;
  }
  for (const Vector& sum : sums) *sink += sum[0];
  return rounds * kChains * kLanes;
}

/// Floating-point operations per second (two a multiply-add) that all threads reach on registers: the machine's
/// ceiling. The other numbers are given as shares of it.
inline double MeasureCeiling() {
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    int64_t done = 0;
    float sink = 0;
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel reduction(+ : done, sink)
    done += RunMultiplyAdds(1 << 20, &sink);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    benchmark::DoNotOptimize(sink);
    best = std::max(best, 2.0 * static_cast<double>(done) / seconds.count());
  }
  return best;
}

/// Reports a benchmark's speed as GFLOP/s and as a share of the ceiling.
inline void ReportFlops(benchmark::State& state, double multiply_adds, double ceiling) {
  const double flops = 2 * multiply_adds * static_cast<double>(state.iterations());
  state.counters["GFLOP/s"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsRate);
  state.counters["of_ceiling"] = benchmark::Counter(flops / ceiling, benchmark::Counter::kIsRate);
}

/// Reports a benchmark's memory traffic as GB/s: what it must read and write at least, each once.
inline void ReportBytes(benchmark::State& state, int64_t bytes) {
  state.counters["GB/s"] = benchmark::Counter(
      static_cast<double>(bytes) * 1e-9 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// Measures the ceiling, notes threads and instructions in the report's head, and runs the registered benchmarks.
/// `register_all(ceiling)` registers them.
template <class RegisterAll>
int RunBenchmarks(int argc, char** argv, const RegisterAll& register_all) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const double ceiling = MeasureCeiling();
  benchmark::AddCustomContext("threads", std::to_string(MaxThreads()));
  benchmark::AddCustomContext("isa", IsaName());
  benchmark::AddCustomContext("ceiling_gflops", std::to_string(static_cast<int>(ceiling * 1e-9)));
  register_all(ceiling);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace kuiper_infer::bench

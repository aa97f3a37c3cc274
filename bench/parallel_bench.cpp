// SPDX-License-Identifier: MIT
// Measures the cost of sharing work among threads: successive regions of 64 items of work, with work of a single thread
// between them as in a network. The library's regions are compared with OpenMP's and, if it is installed, with oneTBB's
// loops; the library uses neither. "ideal" is the work between and a thread's share of the region's.
#include <cstdint>
#include <omp.h>

#include "bench_util.hpp"
#include "utils/threads/thread_count.hpp"

#ifdef KUIPER_HAS_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace {

using namespace kuiper_infer;

constexpr int64_t kItems = 64;

/// Rounds of multiply-adds that take a microsecond on one thread.
double RoundsPerMicrosecond() {
  constexpr int64_t kRounds = 200'000;
  double best = 0;
  float sink = 0;
  for (int attempt = 0; attempt < 50; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    bench::RunMultiplyAdds(kRounds, &sink);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, kRounds / time.count());
  }
  benchmark::DoNotOptimize(sink);
  return best;
}

double Rate() {
  static const double kRate = RoundsPerMicrosecond();
  return kRate;
}

void Compute(int64_t rounds) {
  float sink = 0;
  if (rounds > 0) bench::RunMultiplyAdds(rounds, &sink);
  benchmark::DoNotOptimize(sink);
}

struct Ours {
  explicit Ours(int threads) : scope(threads) {}
  template <class Body>
  void operator()(const Body& body) const {
    ParallelFor(kItems, 1, body);
  }
  ThreadScope scope;
};

struct OpenMp {
  explicit OpenMp(int count) : threads(count) {}
  template <class Body>
  void operator()(const Body& body) const {
#pragma omp parallel num_threads(threads)
    {
      const int64_t team = omp_get_num_threads();
      const int64_t id = omp_get_thread_num();
      body(kItems * id / team, kItems * (id + 1) / team);
    }
  }
  int threads;
};

#ifdef KUIPER_HAS_TBB
struct Tbb {
  explicit Tbb(int threads) : arena(threads) {}
  template <class Body>
  void operator()(const Body& body) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<int64_t>(0, kItems), [&](const auto& range) { body(range.begin(), range.end()); },
          tbb::static_partitioner());
    });
  }
  tbb::task_arena arena;
};
#endif

/// Arguments: threads, microseconds of work in a region, microseconds of one thread's work before it.
template <class Team>
void BM_Region(benchmark::State& state) {
  const double rate = Rate();
  const auto threads = static_cast<int>(state.range(0));
  const auto rounds = static_cast<int64_t>(rate * static_cast<double>(state.range(1)) / kItems);
  const auto between = static_cast<int64_t>(rate * static_cast<double>(state.range(2)));
  Team team(threads);
  for (auto _ : state) {
    Compute(between);
    team([rounds](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) Compute(rounds);
    });
  }
  state.SetLabel(IsaName());
}

void Arguments(benchmark::internal::Benchmark* bench) {
  const int most = UsableCores();
  for (const int threads : {1, 2, 4, 8, 16}) {
    if (threads > most && threads > 2) break;
    for (const int work : {0, 10, 100}) {
      for (const int between : {0, 10, 200}) bench->Args({threads, work, between});
    }
  }
  bench->UseRealTime();
}

}  // namespace

BENCHMARK_TEMPLATE(BM_Region, Ours)->Apply(Arguments);
BENCHMARK_TEMPLATE(BM_Region, OpenMp)->Apply(Arguments);
#ifdef KUIPER_HAS_TBB
BENCHMARK_TEMPLATE(BM_Region, Tbb)->Apply(Arguments);
#endif

BENCHMARK_MAIN();

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduction/distance.cpp"
#include "kernel/reduction/distance.hpp"

#include <algorithm>
#include <cmath>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A task computes the distances of up to kRows rows of x to up to kColumns rows of y, kDepth of their numbers at a
/// time. The numbers of y lie transposed in the first-level cache: a vector holds the sums of several rows of y.
constexpr int64_t kRows = 128;
constexpr int64_t kColumns = 64;
constexpr int64_t kDepth = 64;
constexpr int kVectors = 4;  // vectors of sums in registers

template <class T>
using Tag = hn::CappedTag<T, kColumns / kVectors>;

/// The base of metrics whose result is the sum itself.
struct Sum {
  template <class D, class V>
  static V Join(D /*d*/, V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  static V Finish(V sum) {
    return sum;
  }
};

struct Euclidean : Sum {
  template <class D, class V>
  static V Add(D /*d*/, V sum, V difference) {
    return hn::MulAdd(difference, difference, sum);
  }
  template <class V>
  static V Finish(V sum) {
    return hn::Sqrt(sum);
  }
};

struct Manhattan : Sum {
  template <class D, class V>
  static V Add(D /*d*/, V sum, V difference) {
    return hn::Add(sum, hn::Abs(difference));
  }
};

struct CountOfDifferences : Sum {
  template <class D, class V>
  static V Add(D d, V count, V difference) {
    const auto equal = hn::Eq(difference, hn::Zero(d));
    const auto one = hn::IfThenElse(hn::IsNaN(difference), difference, hn::Set(d, 1));
    return hn::Add(count, hn::IfThenZeroElse(equal, one));
  }
};

/// The largest magnitude of a difference, or NaN if a difference is NaN.
struct Largest {
  template <class D, class V>
  static V Add(D d, V largest, V difference) {
    return Join(d, largest, hn::Abs(difference));
  }
  template <class D, class V>
  static V Join(D /*d*/, V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
  template <class V>
  static V Finish(V largest) {
    return largest;
  }
};

/// Sets sums[j] to the `Metric` of the differences x[k] - columns[k][j] for k < depth.
template <class Metric, class T>
void AddDepth(const T* x, const T* columns, int64_t depth, T* sums) {
  const Tag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t j = 0; j < kColumns; j += kVectors * lanes) {
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    for (int64_t k = 0; k < depth; ++k) {
      const auto number = hn::Set(d, x[k]);
      const T* at = columns + k * kColumns + j;
      a = Metric::Add(d, a, hn::Sub(number, hn::Load(d, at)));
      b = Metric::Add(d, b, hn::Sub(number, hn::Load(d, at + lanes)));
      c = Metric::Add(d, c, hn::Sub(number, hn::Load(d, at + 2 * lanes)));
      e = Metric::Add(d, e, hn::Sub(number, hn::Load(d, at + 3 * lanes)));
    }
    hn::Store(a, d, sums + j);
    hn::Store(b, d, sums + j + lanes);
    hn::Store(c, d, sums + j + 2 * lanes);
    hn::Store(e, d, sums + j + 3 * lanes);
  }
}

/// Joins `sums` with the sums of earlier numbers, if there are any (not null), and finishes them if `last`.
template <class Metric, class T>
void JoinSums(const T* earlier, bool last, T* sums) {
  const Tag<T> d;
  for (int64_t j = 0; j < kColumns; j += static_cast<int64_t>(hn::Lanes(d))) {
    auto sum = hn::Load(d, sums + j);
    if (earlier != nullptr) sum = Metric::Join(d, hn::Load(d, earlier + j), sum);
    hn::Store(last ? Metric::Finish(sum) : sum, d, sums + j);
  }
}

template <class Metric, class T>
void RunTask(const DistanceTask<T>& task, int64_t first_row, int64_t first_column) {
  alignas(64) T columns[kDepth * kColumns];
  alignas(64) T sums[kColumns];
  alignas(64) T earlier[kColumns] = {};
  const int64_t rows = std::min(kRows, task.rows - first_row);
  const int64_t count = std::min(kColumns, task.columns - first_column);
  for (int64_t start = 0; start == 0 || start < task.width; start += kDepth) {
    const int64_t depth = std::min(kDepth, task.width - start);
    for (int64_t k = 0; k < depth; ++k) {
      const T* from = task.y + first_column * task.width + start + k;
      for (int64_t j = 0; j < kColumns; ++j) columns[k * kColumns + j] = j < count ? from[j * task.width] : T(0);
    }
    for (int64_t i = first_row; i < first_row + rows; ++i) {
      const int64_t skipped = task.above_diagonal ? std::max<int64_t>(i + 1 - first_column, 0) : 0;
      if (skipped >= count) continue;
      T* out = task.out + task.OffsetOf(i, first_column + skipped);
      if (start > 0) std::copy_n(out, count - skipped, earlier + skipped);
      AddDepth<Metric>(task.x + i * task.width + start, columns, depth, sums);
      JoinSums<Metric>(start > 0 ? earlier : nullptr, start + depth == task.width, sums);
      std::copy_n(sums + skipped, count - skipped, out);
    }
  }
}

/// Calls run(i) for i < count, in pairs of one from the front and one from the back. If only distances above the
/// diagonal are computed, all pairs are the same amount of work. `cost` is the cost of one call.
template <class Function>
void ForBothEnds(int64_t count, int64_t cost, const Function& run) {
  ParallelFor((count + 1) / 2, GrainFor(2 * cost), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      run(i);
      if (count - 1 - i != i) run(count - 1 - i);
    }
  });
}

template <class Metric, class T>
void RunTasks(const DistanceTask<T>& task) {
  const int64_t across = (task.columns + kColumns - 1) / kColumns;
  const int64_t tasks = (task.rows + kRows - 1) / kRows * across;
  const auto run = [&](int64_t i) { RunTask<Metric>(task, i / across * kRows, i % across * kColumns); };
  ForBothEnds(tasks, std::min(task.rows, kRows) * std::min(task.columns, kColumns) * (task.width + 1), run);
}

template <class T>
T PowerDistance(double p, int64_t width, const T* a, const T* b) {
  double powers = 0;
  for (int64_t i = 0; i < width; ++i)
    powers += std::pow(std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])), p);
  return static_cast<T>(std::pow(powers, 1 / p));
}

/// The distances for any p, computed one number at a time.
template <class T>
void PowerDistances(const DistanceTask<T>& task) {
  const auto run = [&](int64_t i) {
    for (int64_t j = task.above_diagonal ? i + 1 : 0; j < task.columns; ++j) {
      task.out[task.OffsetOf(i, j)] =
          PowerDistance(task.p, task.width, task.x + i * task.width, task.y + j * task.width);
    }
  };
  constexpr int64_t kCostOfPower = 32;
  ForBothEnds(task.rows, kCostOfPower * (task.width + 1) * task.columns, run);
}

template <class T>
void Run(const DistanceTask<T>& task) {
  if (task.p == 2) return RunTasks<Euclidean>(task);
  if (task.p == 1) return RunTasks<Manhattan>(task);
  if (task.p == 0) return RunTasks<CountOfDifferences>(task);
  if (std::isinf(task.p)) return RunTasks<Largest>(task);
  PowerDistances(task);
}

}  // namespace

void DistancesFloat(const DistanceTask<float>& task) { Run(task); }
void DistancesDouble(const DistanceTask<double>& task) { Run(task); }

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(DistancesFloat);
KUIPER_SIMD_TABLE(DistancesDouble);

template <class T>
void Distances(const DistanceTask<T>& task) {
  if (task.rows == 0 || task.columns == 0) return;
  if constexpr (sizeof(T) == sizeof(float)) {
    KUIPER_SIMD(DistancesFloat)(task);
  } else {
    KUIPER_SIMD(DistancesDouble)(task);
  }
}

template void Distances(const DistanceTask<float>&);
template void Distances(const DistanceTask<double>&);

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#include "kernel/scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernel/reduce_functors.hpp"
#include "utils/dispatch.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Calls line(offset of its first element) for all lines.
template <class Line>
void ForEachLine(const AxisGeometry& geometry, const Line& line) {
  ParallelFor(geometry.outer * geometry.inner, GrainFor(2 * geometry.extent), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      line(i / geometry.inner * geometry.extent * geometry.inner + i % geometry.inner);
    }
  });
}

/// output[k] = state after combine(state, input[0..k]).
template <class T, class Out, class State, class Combine>
void ScanWith(const AxisGeometry& geometry, const T* input, Out* output, State start, const Combine& combine) {
  ForEachLine(geometry, [&](int64_t offset) {
    State state = start;
    for (int64_t k = 0; k < geometry.extent; ++k) {
      const int64_t at = offset + k * geometry.inner;
      state = combine(state, static_cast<State>(input[at]));
      output[at] = static_cast<Out>(state);
    }
  });
}

/// log(e^a + e^b)
double LogAddExp(double a, double b) {
  if (a == b) return a + std::log(2.0);  // also where both are the same infinity
  const double high = std::max(a, b);
  return std::isnan(a) || std::isnan(b) ? a + b : high + std::log1p(std::exp(std::min(a, b) - high));
}

}  // namespace

void ScanAlong(Scan scan, const AxisGeometry& geometry, const ConstArrayView& input, const ArrayView& output) {
  DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Out = std::conditional_t<std::is_floating_point_v<T>, T, int64_t>;
    const T* from = input.as<T>();
    Out* to = output.as<Out>();
    if (scan == Scan::kSum) {
      ScanWith(geometry, from, to, Wide<T>(0), [](Wide<T> a, Wide<T> b) { return WideAdd(a, b); });
    } else if (scan == Scan::kProduct) {
      ScanWith(geometry, from, to, Wide<T>(1), [](Wide<T> a, Wide<T> b) { return WideMultiply(a, b); });
    } else {
      ScanWith(geometry, from, to, -std::numeric_limits<double>::infinity(), &LogAddExp);
    }
  });
}

void ScanExtreme(bool largest, const AxisGeometry& geometry, const ConstArrayView& input, void* values,
                 int64_t* positions) {
  DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* from = input.as<T>();
    T* to = static_cast<T*>(values);
    ForEachLine(geometry, [&](int64_t offset) {
      T best = T(0);
      int64_t position = -1;
      for (int64_t k = 0; k < geometry.extent; ++k) {
        const int64_t at = offset + k * geometry.inner;
        const T x = from[at];
        const bool better = position < 0 || IsNan(x) || (!IsNan(best) && (largest ? x >= best : x <= best));
        best = better ? x : best;
        position = better ? k : position;
        to[at] = best;
        positions[at] = position;
      }
    });
  });
}

}  // namespace kuiper_infer::kernel

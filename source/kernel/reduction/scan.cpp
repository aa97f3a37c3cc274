// SPDX-License-Identifier: MIT
#include "kernel/reduction/scan.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "kernel/reduction/reduce_functors.hpp"
#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"
#include "utils/wrapping.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of neighbouring lines that are scanned together, so that rows of them are read as they lie in memory.
constexpr int64_t kBlock = 512;

/// Calls lines(offset of the first element, number of lines) for blocks that cover all lines.
template <class Lines>
void ForEachBlock(const AxisGeometry& geometry, const Lines& lines) {
  const int64_t blocks = (geometry.inner + kBlock - 1) / kBlock;
  const int64_t cost = 2 * geometry.extent * std::min(kBlock, geometry.inner);
  ParallelFor(geometry.outer * blocks, GrainFor(cost), [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t column = i % blocks * kBlock;
      lines(i / blocks * geometry.extent * geometry.inner + column, std::min(kBlock, geometry.inner - column));
    }
  });
}

/// Sets output[k] to the state after `combine` has taken in input[0] to input[k].
template <class T, class Out, class State, class Combine>
void ScanWith(const AxisGeometry& geometry, const T* input, Out* output, State start, const Combine& combine) {
  ForEachBlock(geometry, [&](int64_t offset, int64_t width) {
    if (width == 1) {  // in a register
      State state = start;
      for (int64_t k = 0; k < geometry.extent; ++k) {
        const int64_t at = offset + k * geometry.inner;
        state = combine(state, static_cast<State>(input[at]));
        output[at] = static_cast<Out>(state);
      }
      return;
    }
    State states[kBlock];
    std::fill_n(states, width, start);
    for (int64_t k = 0; k < geometry.extent; ++k) {
      const int64_t row = offset + k * geometry.inner;
      for (int64_t i = 0; i < width; ++i) {
        states[i] = combine(states[i], static_cast<State>(input[row + i]));
        output[row + i] = static_cast<Out>(states[i]);
      }
    }
  });
}

/// log(e^a + e^b)
double LogAddExp(double a, double b) {
  if (a == b) return a + std::log(2.0);  // also if both are the same infinity
  const double high = std::max(a, b);
  return std::isnan(a) || std::isnan(b) ? a + b : high + std::log1p(std::exp(std::min(a, b) - high));
}

/// Sums and products of complex numbers with parts of type T.
template <class T>
void ScanComplex(Scan scan, const AxisGeometry& geometry, const ConstArrayView& input, const ArrayView& output) {
  using State = std::complex<double>;
  const auto* from = input.as<std::complex<T>>();
  auto* to = output.as<std::complex<T>>();
  if (scan == Scan::kSum) {
    ScanWith(geometry, from, to, State(0), [](State a, State b) { return a + b; });
  } else {
    ScanWith(geometry, from, to, State(1), [](State a, State b) { return a * b; });
  }
}

}  // namespace

void ScanAlong(Scan scan, const AxisGeometry& geometry, const ConstArrayView& input, const ArrayView& output) {
  if (input.type() == RuntimeDataType::kTypeComplex64) return ScanComplex<float>(scan, geometry, input, output);
  if (input.type() == RuntimeDataType::kTypeComplex128) return ScanComplex<double>(scan, geometry, input, output);
  DispatchReal(input.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Out = std::conditional_t<std::is_floating_point_v<T>, T, int64_t>;
    const T* from = input.as<T>();
    Out* to = output.as<Out>();
    if (scan == Scan::kSum) {
      ScanWith(geometry, from, to, Wide<T>(0), [](Wide<T> a, Wide<T> b) { return WrappingAdd(a, b); });
    } else if (scan == Scan::kProduct) {
      ScanWith(geometry, from, to, Wide<T>(1), [](Wide<T> a, Wide<T> b) { return WrappingMultiply(a, b); });
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
    ForEachBlock(geometry, [&](int64_t offset, int64_t width) {
      T best[kBlock];
      int64_t position[kBlock];
      std::fill_n(best, width, T(0));
      std::fill_n(position, width, -1);
      for (int64_t k = 0; k < geometry.extent; ++k) {
        const int64_t row = offset + k * geometry.inner;
        for (int64_t i = 0; i < width; ++i) {
          const T x = from[row + i];
          const bool better =
              position[i] < 0 || IsNan(x) || (!IsNan(best[i]) && (largest ? x >= best[i] : x <= best[i]));
          best[i] = better ? x : best[i];
          position[i] = better ? k : position[i];
          to[row + i] = best[i];
          positions[row + i] = position[i];
        }
      }
    });
  });
}

}  // namespace kuiper_infer::kernel

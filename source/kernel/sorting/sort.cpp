// SPDX-License-Identifier: MIT
#include "kernel/sorting/sort.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "kernel/reduction/reduce_functors.hpp"
#include "utils/dispatch.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Whether two elements are equal for sorting: all NaNs are.
template <class T>
bool Same(T a, T b) {
  return a == b || (IsNan(a) && IsNan(b));
}

template <class T>
bool Less(T a, T b) {
  return a < b || (IsNan(b) && !IsNan(a));
}

/// Puts the positions of the line's `count` first elements in order, at the front of `order`. Ties go by position,
/// which makes the result that of a stable sort.
template <class T>
void OrderLine(bool descending, const T* line, int64_t extent, int64_t stride, int64_t count, int64_t* order) {
  std::iota(order, order + extent, int64_t{0});
  const auto precedes = [=](int64_t a, int64_t b) {
    const T x = line[a * stride];
    const T y = line[b * stride];
    if (Same(x, y)) return a < b;
    return descending ? Less(y, x) : Less(x, y);
  };
  if (count < extent) {
    std::partial_sort(order, order + count, order + extent, precedes);
  } else {
    std::sort(order, order + extent, precedes);
  }
}

/// The number of operations that sorting a line takes, for the choice of threads.
int64_t SortCost(int64_t extent) {
  return extent * (4 + static_cast<int64_t>(std::log2(static_cast<double>(extent + 1))));
}

template <class T>
int64_t PickFromOrder(Rank rank, int64_t k, const T* line, int64_t extent, int64_t stride, const int64_t* order) {
  const auto at = [=](int64_t i) { return line[order[i] * stride]; };
  // NaNs are sorted to the end.
  const int64_t numbers =
      std::partition_point(order, order + extent, [=](int64_t p) { return !IsNan(line[p * stride]); }) - order;
  switch (rank) {
    case Rank::kSmallest:
      return order[k];
    case Rank::kMedian:
      return numbers < extent ? order[numbers] : order[(extent - 1) / 2];
    case Rank::kNanMedian:
      return numbers == 0 ? order[0] : order[(numbers - 1) / 2];
    case Rank::kMode:
      break;
  }
  int64_t best_last = 0;
  int64_t best_length = 0;
  for (int64_t first = 0, i = 0; i < extent; ++i) {
    if (!Same(at(first), at(i))) first = i;
    if (i - first + 1 > best_length) {
      best_length = i - first + 1;
      best_last = i;
    }
  }
  return order[best_last];
}

/// Orders the first `count` elements of every line: body(the line's first element, its number, the order).
template <class Body>
void ForEachOrderedLine(bool descending, const AxisGeometry& geometry, int64_t count, const ConstArrayView& input,
                        int64_t* scratch, const Body& body) {
  const auto [outer, extent, inner] = geometry;
  DispatchReal(input.type(), [&, extent = extent, inner = inner, lines = outer * inner](auto tag) {
    using T = typename decltype(tag)::type;
    ParallelFor(lines, GrainFor(SortCost(extent)), [&](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) {
        const T* from = input.as<T>() + line / inner * extent * inner + line % inner;
        int64_t* order = scratch + line * extent;
        OrderLine(descending, from, extent, inner, count, order);
        body(from, line, order);
      }
    });
  });
}

}  // namespace

void SortAlong(bool descending, const AxisGeometry& geometry, int64_t count, const ConstArrayView& input,
               int64_t* scratch, void* values, int64_t* positions) {
  const auto visit = [&, inner = geometry.inner](const auto* from, int64_t line, const int64_t* order) {
    using T = std::decay_t<decltype(*from)>;
    const int64_t target = line / inner * count * inner + line % inner;
    for (int64_t k = 0; k < count; ++k) {
      if (values != nullptr) static_cast<T*>(values)[target + k * inner] = from[order[k] * inner];
      if (positions != nullptr) positions[target + k * inner] = order[k];
    }
  };
  ForEachOrderedLine(descending, geometry, count, input, scratch, visit);
}

void PickAlong(Rank rank, const AxisGeometry& geometry, int64_t k, const ConstArrayView& input, int64_t* scratch,
               void* values, int64_t* positions) {
  const auto visit = [&](const auto* from, int64_t line, const int64_t* order) {
    using T = std::decay_t<decltype(*from)>;
    const int64_t position = PickFromOrder(rank, k, from, geometry.extent, geometry.inner, order);
    static_cast<T*>(values)[line] = from[position * geometry.inner];
    positions[line] = position;
  };
  ForEachOrderedLine(false, geometry, geometry.extent, input, scratch, visit);
}

}  // namespace kuiper_infer::kernel

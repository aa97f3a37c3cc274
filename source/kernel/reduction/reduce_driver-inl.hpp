// SPDX-License-Identifier: MIT
// Included once for each instruction set: see utils/simd.hpp.
#if defined(KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#undef KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#else
#define KUIPER_KERNEL_REDUCE_DRIVER_INL_HPP_
#endif

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <hwy/highway.h>

#include "kernel/reduction/reduce_driver.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class From, class T>
void LoadRow(const void* row, int64_t stride, int64_t count, void* values) {
  const auto* from = static_cast<const From*>(row);
  auto* to = static_cast<T*>(values);
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i * stride]);
  }
}

/// Reads elements as T, which is float, double or int64: reductions compute in these types. Arrays of other element
/// types differ only in how a row is loaded.
template <class T>
struct RowReader : ReductionInput {
  /// `input` holds elements that are T without loss: float or double for double, integers or bool for int64.
  explicit RowReader(const ConstArrayView& input)
      : ReductionInput{static_cast<const char*>(input.data), static_cast<int64_t>(ElementBytes(input.type())),
                       sizeof(T), false, nullptr} {
    DispatchReal(input.type(), [&](auto tag) {
      using From = typename decltype(tag)::type;
      if constexpr (std::is_floating_point_v<From> == std::is_floating_point_v<T> && sizeof(From) <= sizeof(T)) {
        load = LoadRow<From, T>;
        holds_values = std::is_same_v<From, T>;
      } else {
        FailDispatch(input.type());
      }
    });
  }
};

/// The inner loops of a reduction of T. A functor says how one accumulates:
///     Accumulator Start() const;
///     void Add(Accumulator& into, T x, double shift, int64_t position) const;
///     void Merge(Accumulator& into, const Accumulator& other) const;
///     const double* shifts;    // handed to Add, one for each output; null: zero
template <class T, class Functor>
struct LoopsOf {
  using Accumulator = decltype(std::declval<Functor>().Start());

  static void AddRow(const void* functor, const ReductionRow& values, void* accumulators) {
    const Functor add = *static_cast<const Functor*>(functor);  // copies, which no store may change
    const ReductionRow from = values;
    auto* __restrict__ const lanes = static_cast<Accumulator*>(accumulators);
    if (from.first) std::uninitialized_fill_n(lanes, from.lanes, add.Start());
    const auto* const row = static_cast<const T*>(from.values);
    int64_t i = 0;
    for (; i + kReductionLanes <= from.count; i += kReductionLanes) {
#pragma omp simd
      for (int64_t lane = 0; lane < kReductionLanes; ++lane) {
        add.Add(lanes[lane], row[i + lane], from.shift, from.position + i + lane);
      }
    }
    for (; i < from.count; ++i) add.Add(lanes[i % kReductionLanes], row[i], from.shift, from.position + i);
    if (from.last) Merge(functor, from.lanes, accumulators);
  }

  static void AddColumns(const void* functor, const ReductionColumns& columns, void* accumulators) {
    const Functor add = *static_cast<const Functor*>(functor);
    const ReductionColumns from = columns;
    auto* __restrict__ const sums = static_cast<Accumulator*>(accumulators);
    if (from.position == 0) std::uninitialized_fill_n(sums, from.columns, add.Start());
    const auto* bytes = static_cast<const char*>(from.values);
    constexpr int64_t kRowsAhead = 8;
    for (int64_t r = 0; r < from.rows; ++r, bytes += from.row_bytes) {
      // The CPU's own prefetching would not foresee the jumps from row to row.
      for (int64_t i = 0; i < from.columns * static_cast<int64_t>(sizeof(T)); i += kCacheLine) {
        __builtin_prefetch(bytes + kRowsAhead * from.row_bytes + i);
      }
      const auto* const row = reinterpret_cast<const T*>(bytes);
      for (int64_t i = 0; i < from.columns; ++i) add.Add(sums[i], row[i], from.shifts[i], from.position + r);
    }
  }

  static void Merge(const void* functor, int64_t count, void* accumulators) {
    const Functor merge = *static_cast<const Functor*>(functor);
    auto* const parts = static_cast<Accumulator*>(accumulators);
    Accumulator all = parts[0];
    for (int64_t i = 1; i < count; ++i) merge.Merge(all, parts[i]);
    parts[0] = all;
  }

  static_assert(sizeof(Accumulator) <= kMostAccumulatorBytes && sizeof(T) <= kMostValueBytes);
  static constexpr ReductionLoops kLoops{sizeof(Accumulator), AddRow, AddColumns, Merge};
};

/// Reduces `input`, read as T, with `functor` and stores each result by store(output, accumulator).
template <class T, class Functor, class Store>
void DriveReduction(const ReductionGeometry& geometry, const RowReader<T>& input, const Functor& functor,
                    const Store& store) {
  using Loops = LoopsOf<T, Functor>;
  const auto store_all = [&store](int64_t first, const void* accumulators, int64_t count) {
    const auto* const results = static_cast<const typename Loops::Accumulator*>(accumulators);
    for (int64_t i = 0; i < count; ++i) store(first + i, results[i]);
  };
  RunReduction({geometry, input, Loops::kLoops, &functor, functor.shifts, store_all});
}

}  // namespace
}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

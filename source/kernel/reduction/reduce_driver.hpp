// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/reduction/reduce.hpp"
#include "utils/function_ref.hpp"

namespace kuiper_infer::kernel {

/// The elements of a strided array, read as values of the type that a reduction computes in. RowReader
/// (reduce_driver-inl.hpp) makes it.
struct ReductionInput {
  const char* data;
  int64_t element_bytes;
  int64_t value_bytes;
  bool holds_values;  ///< elements need no conversion
  void (*load)(const void* row, int64_t stride, int64_t count, void* values);

  /// Whether rows of that stride are read in place.
  bool InPlace(int64_t stride) const { return holds_values && stride == 1; }

  /// Returns `count` values from element `offset` on, `stride` apart (both in elements), side by side. They are read in
  /// place if possible, otherwise copied to `buffer`.
  const void* Read(int64_t offset, int64_t stride, int64_t count, void* buffer) const {
    const char* row = data + offset * element_bytes;
    if (InPlace(stride)) return row;
    load(row, stride, count, buffer);
    return buffer;
  }
};

/// The number of accumulators of one output. With several, additions don't wait for each other and become vector code.
constexpr int64_t kReductionLanes = 16;

/// Neighbouring values of one output, which are added to its accumulators in turn.
struct ReductionRow {
  const void* values;
  int64_t count;
  double shift;
  int64_t position;  ///< of the first value
  int64_t lanes;     ///< accumulators that are used, from 1 to kReductionLanes
  bool first;        ///< initialises the accumulators before
  bool last;         ///< merges the accumulators into the first one afterwards
};

/// Rows of values, side by side in each row: a column for each of neighbouring outputs.
struct ReductionColumns {
  const void* values;
  int64_t row_bytes;  ///< from row to row
  int64_t rows;
  int64_t columns;
  const double* shifts;  ///< of the columns
  int64_t position;      ///< of the first row; if it is 0, the accumulators are initialised before
};

/// The largest accumulator, and the largest value.
constexpr int64_t kMostAccumulatorBytes = 16;
constexpr int64_t kMostValueBytes = 8;

/// The inner loops of a reduction over values of one type. `functor` says how one accumulates; positions count the
/// reduced elements in the geometry's order.
struct ReductionLoops {
  int64_t accumulator_bytes;
  void (*add_row)(const void* functor, const ReductionRow& row, void* accumulators);
  /// Adds each column to an accumulator of its own.
  void (*add_columns)(const void* functor, const ReductionColumns& columns, void* accumulators);
  /// Merges `count` accumulators into the first one.
  void (*merge)(const void* functor, int64_t count, void* accumulators);
};

/// A reduction with its element types erased, so that the loops around the inner loops are compiled once for all
/// types.
struct ReductionTask {
  const ReductionGeometry& geometry;
  const ReductionInput& input;
  const ReductionLoops& loops;
  const void* functor;
  const double* shifts;  ///< one for each output, handed to the inner loops; null: all are zero
  /// Takes the accumulators of `count` neighbouring outputs.
  FunctionRef<void(int64_t first, const void* accumulators, int64_t count)> store;
};

/// Reduces all outputs, on all threads. Results don't depend on the number of threads.
void RunReduction(const ReductionTask& task);

}  // namespace kuiper_infer::kernel

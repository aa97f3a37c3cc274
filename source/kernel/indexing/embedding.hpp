// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/packed_layout.hpp"

namespace kuiper_infer::kernel {

/// out[i] = table[indices[i]] for `count` indices into a row-major table of `rows` rows of `row_bytes` bytes, without
/// gaps. If an index is outside of [0, rows), its row of `out` is not written, and the position of one such index is
/// returned; otherwise -1. Instantiated for int32_t and int64_t.
template <class Index>
int64_t LookUpRows(const Index* indices, int64_t count, const void* table, int64_t rows, int64_t row_bytes, void* out);

/// A table of numbers stored as integers.
struct QuantizedTable {
  const WeightFormat* format = nullptr;
  const void* integers = nullptr;    ///< (rows, width)
  const void* parameters = nullptr;  ///< (rows, groups, the format's parameters)
  int64_t rows = 0;
  int64_t width = 0;
  int64_t groups = 1;
  bool halves = false;                   ///< whether the parameters are float16 instead of float32
  const PackedLayout* layout = nullptr;  ///< one that unpacks rows; null: the integers are as the format stores them
};

/// Looks rows up as LookUpRows does, in a table of integers, and writes their numbers: out (count, width).
template <class Index>
int64_t LookUpNumbers(const Index* indices, int64_t count, const QuantizedTable& table, float* out);

/// The combination of the rows of a bag.
enum class BagMode { kSum = 0, kMean = 1, kMax = 2 };

/// out[b] = sum, mean or maximum of the table's rows at indices[begins[b]] to indices[begins[b + 1] - 1]. An empty bag
/// gives zeros. `begins` has bags + 1 entries, non-decreasing and at most the number of indices. Rows of index
/// `padding_index` (negative: none) don't take part. `factors` (null: ones) has a factor for each index, for kSum.
/// The indices must be in range. Row-major without gaps: table (any, width), out (bags, width). Instantiated for float
/// and double.
template <class T>
void ReduceBags(BagMode mode, const int64_t* indices, const int64_t* begins, int64_t bags, const T* factors,
                int64_t padding_index, const T* table, int64_t width, T* out);

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "shape/row_loop.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// The axis of an array that index numbers count along.
struct IndexedAxis {
  int64_t extent = 0;
  int64_t stride = 1;
  /// Whether -1 is the last element; otherwise negative numbers are out of range.
  bool from_end = false;
};

/// A fault in the data: an index number that is out of range for its axis.
struct IndexFault {
  int64_t number;
};

/// Arrays of a gather: index numbers (int64), input, output. The loop walks all three; the input's stride is 0 along
/// the indexed axis, so that its offset is where the axis starts.
using GatherLoop = RowLoop<3>;

/// output[o] = input[i + index[n] * axis.stride] for all (n, i, o) of the loop. Any element type. Elements with faulty
/// index numbers are left out; one of the faults is returned.
std::optional<IndexFault> Gather(const GatherLoop& loop, const IndexedAxis& axis, RuntimeDataType type,
                                 const int64_t* index, const void* input, void* output);

/// What a scatter does with the element at an index.
enum class ScatterKind { kAssign, kAdd, kMultiply, kMax, kMin };

/// Arrays of a scatter: index numbers (int64), source, output. The output's stride is 0 along the indexed axis.
using ScatterLoop = RowLoop<3>;

/// output[o + index[n] * axis.stride] = kind(itself, alpha * source[s]) for all (n, s, o) in row-major order. If
/// several sources have the same index, kAssign leaves the last of them. DispatchReal types; kAssign takes any type and
/// no alpha.
std::optional<IndexFault> Scatter(ScatterKind kind, const ScatterLoop& loop, const IndexedAxis& axis,
                                  RuntimeDataType type, double alpha, const int64_t* index, const void* source,
                                  void* output);

/// values[i] = values[i] / counts[i] if counts[i] is above 1, rounded down for integers. DispatchReal types.
void DivideByCounts(RuntimeDataType type, int64_t size, const int64_t* counts, void* values);

/// Makes one offset of index numbers along several axes: offsets[o] += index[n] * axis.stride for all (n, o) of the
/// loop. Index types: int64, int32, int16, int8, uint8.
std::optional<IndexFault> AddOffsets(const RowLoop<2>& loop, const IndexedAxis& axis, const ConstArrayView& index,
                                     int64_t* offsets);

}  // namespace kuiper_infer::kernel

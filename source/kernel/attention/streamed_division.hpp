// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/attention/streamed_tile.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

inline int64_t HeadsOf(const TensorSpec& spec) { return spec.rank() >= 3 ? spec.shape.end()[-3] : 1; }

/// Sizes of a call that don't depend on the length, and the division of its work: tiles of rows, each perhaps with
/// several parts of the length.
struct StreamedDivision {
  int64_t heads = 0;  ///< of keys and values
  int64_t group = 0;  ///< query heads that share one
  int64_t positions = 0;
  int64_t width = 0;
  int64_t value_width = 0;
  int64_t matrices = 0;  ///< all key/value heads
  int64_t tile_rows = 0;
  int64_t tiles_of_matrix = 0;
  int64_t tiles = 0;
  int64_t most_parts = 1;  ///< of the length

  StreamedDivision(int threads, const TensorSpec& query, const TensorSpec& key, const TensorSpec& value,
                   const TensorSpec& output)
      : heads(std::max(HeadsOf(key), HeadsOf(value))),
        group(heads > 0 ? HeadsOf(output) / heads : 0),
        positions(query.shape.end()[-2]),
        width(query.shape.back()),
        value_width(value.shape.back()),
        matrices(heads) {
    for (std::size_t axis = 0; axis + 3 < output.shape.size(); ++axis) matrices *= output.shape[axis];
    const int64_t rows = group * positions;
    if (rows == 0 || matrices == 0) return;
    // Blocks of keys are transposed for each tile, so that tiles are as large as the number of threads allows.
    constexpr int64_t kMostRows = 256;
    constexpr int64_t kFewestRows = 64;
    constexpr int64_t kTasksPerThread = 4;
    const int64_t tasks = threads > 1 ? kTasksPerThread * threads : 1;
    const int64_t share = RoundUp(DivideUp(rows, DivideUp(tasks, matrices)), 8);
    tile_rows = std::min(rows, std::clamp(share, kFewestRows, kMostRows));
    tiles_of_matrix = DivideUp(rows, tile_rows);
    tiles = matrices * tiles_of_matrix;
    most_parts = DivideUp(tasks, tiles);
  }

  int64_t state_floats() const { return tile_rows * TilePitch(value_width) + 2 * TilePitch(tile_rows); }
  int64_t scratch_floats() const { return TileLayout(tile_rows, width, value_width).end; }
  int64_t tasks() const { return tiles * most_parts; }
  int64_t workers(int threads) const { return std::min<int64_t>(threads, tasks()); }
};

inline TileState StateAt(const StreamedDivision& division, float* at) {
  TileState state;
  state.sums = at;
  state.largest = at + division.tile_rows * TilePitch(division.value_width);
  state.weights = state.largest + TilePitch(division.tile_rows);
  return state;
}

/// The offset of the matrix of head `head` in `batch`, whose axes are those of `output` before the heads. `trailing` is
/// the number of axes behind the heads.
inline int64_t HeadOffset(const TensorSpec& spec, int64_t trailing, const TensorSpec& output, int64_t batch,
                          int64_t head) {
  const int64_t heads_axis = spec.rank() - trailing - 1;
  if (heads_axis < 0) return 0;
  const auto stride = [&](int64_t axis) {
    const auto i = static_cast<std::size_t>(axis);
    return spec.shape[i] == 1 ? 0 : spec.strides[i];
  };
  int64_t offset = head * stride(heads_axis);
  int64_t from = output.rank() - 4;
  for (int64_t axis = heads_axis - 1; axis >= 0; --axis, --from) {
    const int64_t extent = output.shape[static_cast<std::size_t>(from)];
    offset += batch % extent * stride(axis);
    batch /= extent;
  }
  return offset;
}

/// The stride of an axis, counted from the end; 0 if the array is broadcast along it.
inline int64_t StrideOf(const TensorSpec& spec, int64_t from_end) {
  return spec.rank() < from_end || spec.shape.end()[-from_end] == 1 ? 0 : spec.strides.end()[-from_end];
}

}  // namespace kuiper_infer::kernel

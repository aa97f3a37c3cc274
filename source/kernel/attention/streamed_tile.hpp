// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/bfloat16/tile.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// The number of keys whose scores are computed and kept at a time.
constexpr int64_t kBlockKeys = 128;

/// The mask of a tile's heads; strides count elements.
struct TileMask {
  const void* data = nullptr;  ///< of row 0 of the group's first head; null: none
  bool marks = false;          ///< the elements are bools; otherwise floats, which are added
  bool drops = false;          ///< true marks columns to leave out instead of columns to keep
  int64_t columns = 0;         ///< the number of columns of the mask; further keys are not masked
  int64_t head_stride = 0;
  int64_t row_stride = 0;
  int64_t stride = 0;
};

/// Rows of keys or values of one head; those of int8 have their scales behind them (int8_rows.hpp).
struct CacheRows {
  const void* data = nullptr;
  int64_t stride = 0;  ///< elements from a row to the next
};

/// What a tile has summed up over its keys so far. Rows of `sums` are TilePitch(value_width) apart.
struct TileState {
  float* largest = nullptr;  ///< largest score of each row in units of log(2), -inf at first
  float* weights = nullptr;  ///< for each row, the sum of e^(score - largest)
  float* sums = nullptr;     ///< for each row, the sum of e^(score - largest) * value
};

/// Rows of queries whose heads share a key/value head, and a range of keys. The rows of a group of heads are numbered
/// position by position: row r is position r / group of head r % group.
struct StreamedTile {
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;  ///< of keys and values
  const BFloat16Tiles* rounding = nullptr;               ///< see StreamedAttentionOptions
  int64_t group = 1;
  int64_t first = 0;
  int64_t rows = 0;
  int64_t width = 0;  ///< of queries and keys
  int64_t value_width = 0;
  float scale = 1;
  const float* query = nullptr;  ///< of position 0 of the group's first head
  int64_t query_head_stride = 0;
  int64_t query_row_stride = 0;
  CacheRows key;
  CacheRows value;
  TileMask mask;
  int64_t length = 0;  ///< of keys and values
  int64_t ahead = 0;   ///< position i sees columns below min(length, i + ahead)
  int64_t begin = 0;   ///< of the range of keys
  int64_t end = 0;
  float* scratch = nullptr;  ///< TileLayout::end floats, on a cache line
  TileState state;

  int64_t Visible(int64_t row) const {
    const int64_t columns = (first + row) / group + ahead;
    return columns < length ? (columns > 0 ? columns : 0) : length;
  }
};

/// The pitch, in floats, of arrays whose rows of `width` floats tiles read or write in vectors.
constexpr int64_t TilePitch(int64_t width) { return RoundUp(width, kCacheLine / 4); }

/// Whether a tile of `rows` rows reads keys and values where they lie. For more rows, blocks of keys are transposed
/// first, and elements are converted to float once for all rows.
constexpr bool ReadsInPlace(int64_t rows) { return rows <= 8; }

/// The places of arrays in a tile's scratch memory, in floats.
struct TileLayout {
  int64_t scores, factors, panel, floats, end;

  TileLayout(int64_t rows, int64_t width, int64_t value_width) {
    const int64_t block = ReadsInPlace(rows) ? 0 : kBlockKeys;
    scores = rows * TilePitch(width);
    factors = scores + rows * kBlockKeys;
    panel = factors + TilePitch(rows);
    floats = panel + block * TilePitch(width);
    end = floats + block * TilePitch(width > value_width ? width : value_width);
  }
};

/// Adds the keys [begin, end) to a tile's state.
void RunStreamedTile(const StreamedTile& tile);

/// Merges `parts` states of a tile's rows into the first one, `state`. The arrays of state p lie `p * stride` floats
/// behind those of `state`.
void MergeTileStates(int64_t rows, int64_t value_width, int64_t parts, int64_t stride, const TileState& state);

/// Writes the sums of row `row` of a state divided by its weight; zeros if the row has seen no column.
void WriteTileRow(const TileState& state, int64_t row, int64_t value_width, float* output);

}  // namespace kuiper_infer::kernel

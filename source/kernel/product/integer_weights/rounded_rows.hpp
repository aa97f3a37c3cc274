// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Rows of floats rounded to integers from -127 to 127 in blocks of at most kMostRoundedBlock numbers, each times a
/// scale of its own: the largest magnitude of the block divided by 127. A block never crosses the border between two
/// groups of the weight that the rows are multiplied by. A block that holds a NaN or an infinity becomes zeros times
/// NaN. All instruction sets give the same bits.
constexpr int64_t kMostRoundedBlock = 128;

/// How rows of `depth` numbers, in equal groups, lie when they are rounded.
struct RoundedRowLayout {
  int64_t depth;
  int64_t groups;
  /// Of an integer: one or two. Of two bytes each, the integers 0, 2, 1 and 3 of four follow each other, as products of
  /// 16 bits want them (Avx2ByteDots).
  int64_t integer_bytes = 1;

  int64_t group_depth() const { return depth / groups; }
  int64_t blocks() const { return groups * DivideUp(group_depth(), kMostRoundedBlock); }
  /// The integers of a row with the zeros that follow them.
  int64_t padded_depth() const { return RoundUp(depth, 8); }
  /// Bytes from one row of integers to the next.
  int64_t ld() const { return padded_depth() * integer_bytes; }
  /// Bytes of rows: all integers, then all scales, then all offsets.
  int64_t Bytes(int64_t rows) const { return RoundUp(rows * ld(), kCacheLine) + 2 * FloatBytes(rows * blocks()); }
  float* ScalesOf(int8_t* integers, int64_t rows) const {
    return reinterpret_cast<float*>(integers + RoundUp(rows * ld(), kCacheLine));
  }
  int32_t* OffsetsOf(int8_t* integers, int64_t rows) const {
    return reinterpret_cast<int32_t*>(ScalesOf(integers, rows) + rows * blocks());
  }
};

/// Rounds `rows` rows, which lie at x + row * ld. The offset of a block is `factor` times the sum of its integers.
/// `integers` has room for layout.Bytes(rows) and begins on a cache line.
void RoundRowsInBlocks(const RoundedRowLayout& layout, int64_t rows, const float* x, int64_t ld, int32_t factor,
                       int8_t* integers);

}  // namespace kuiper_infer::kernel

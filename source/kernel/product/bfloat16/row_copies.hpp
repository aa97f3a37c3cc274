// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Numbers of several pieces are added up in blocks of the depth, whose sums have the smaller errors. A panel's part of
/// such a depth stays in the first-level cache while the rows pass.
constexpr int64_t kPiecesBlock = 256;
/// The numbers that stand for copied rows, which are multiplied by one panel after the other.
constexpr int64_t kRowNumbers = int64_t{100} << 10;

/// Numbers from one copied row to the next, of `count` numbers each.
constexpr int64_t CopyPitch(int64_t count) {
  constexpr int64_t kCrowded = 1024;  // rows such a multiple apart share few sets of the first-level cache
  const int64_t pitch = 2 * BFloat16Pairs(count);
  return pitch % kCrowded == 0 && pitch > 0 ? pitch + 2 * kBlockPairs : pitch;
}
static_assert(kRowNumbers >= kAmxRows * CopyPitch(kMostRoundedDepth));

/// Rows as the tiles read them: see BFloat16Tile.
struct RowsRead {
  const uint16_t* a;
  int64_t lda;
  int64_t a_stride;
  int64_t segments;
  int64_t segment_stride;
  int64_t pairs;
};

/// The numbers of some rows, some part of the depth, rounded to bfloat16, split into pieces or copied: side by side and
/// with zeros up to a whole block of pairs.
class RowCopies {
 public:
  /// Takes `rows` rows of the product from `first` on, numbers [k, k + count) of the depth of all segments.
  RowsRead Fill(const WeightProduct& p, const BFloat16Kernel& kernel, int64_t first, int64_t rows, int64_t k,
                int64_t count) {
    const int pieces = p.weight_type.pieces;
    const int64_t lda = CopyPitch(count);
    const int64_t used = 2 * BFloat16Pairs(count);
    const int64_t stride = RoundUp(rows, kernel.rows_read) * lda;
    for (int64_t r = 0; r < rows; ++r) {
      uint16_t* const target = numbers_.data() + r * lda;
      for (int64_t done = 0; done < count;) {
        const int64_t segment = (k + done) / p.depth;
        const int64_t inside = (k + done) % p.depth;
        const int64_t piece = std::min(count - done, p.depth - inside);
        const int64_t from = (first + r) * p.lda + segment * p.segment_stride + inside;
        Take(p, kernel, from, inside, piece, target + done, stride);
        done += piece;
      }
      for (int i = 0; i < pieces; ++i) std::fill_n(target + i * stride + count, used - count, uint16_t{0});
    }
    return {numbers_.data(), lda, stride, 1, 0, DivideUp(count, 2)};
  }

 private:
  /// Takes `count` numbers of `a` from number `from` on, number `inside` of their segment.
  void Take(const WeightProduct& p, const BFloat16Kernel& kernel, int64_t from, int64_t inside, int64_t count,
            uint16_t* to, int64_t stride) {
    if (p.a_type == RuntimeDataType::kTypeBFloat16) {
      std::copy_n(static_cast<const uint16_t*>(p.a) + from, count, to);
      return;
    }
    for (int64_t done = 0; done < count; done += kPiecesBlock) {
      const float* numbers = static_cast<const float*>(p.a) + from + done;
      const int64_t some = std::min(kPiecesBlock, count - done);
      if (p.factors != nullptr) {
        for (int64_t i = 0; i < some; ++i) scaled_[i] = numbers[i] * p.factors[inside + done + i];
        numbers = scaled_.data();
      }
      if (p.weight_type.pieces == 1) {
        kernel.round(numbers, some, to + done);
      } else {
        SplitBFloat16(numbers, some, p.weight_type.pieces, to + done, stride);
      }
    }
  }

  std::array<uint16_t, kRowNumbers> numbers_;  // never cleared: what tiles read is written before
  std::array<float, kPiecesBlock> scaled_;
};

}  // namespace kuiper_infer::kernel

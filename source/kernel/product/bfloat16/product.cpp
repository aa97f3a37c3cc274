// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16/product.hpp"

#include <algorithm>
#include <array>

#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/product_cut.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{128} << 10;
/// The depth of a panel of the weight that stays in the first-level cache while the rows pass.
constexpr int64_t kDepthBlock = 256;

/// The numbers of some rows, some part of the depth, rounded to bfloat16 or split into pieces.
struct RoundedRows {
  std::array<uint16_t, kMostPieces * kMostRowBlock * kDepthBlock> numbers;
  std::array<float, kDepthBlock> scaled;

  /// Rounds `rows` rows of the product from `first` on, numbers [k, k + count) of the depth of all segments.
  void Fill(const WeightProduct& p, const BFloat16Kernel& kernel, int64_t first, int64_t rows, int64_t k,
            int64_t count) {
    const int pieces = p.weight_type.pieces;
    for (int64_t r = 0; r < rows; ++r) {
      const float* const row = p.a + (first + r) * p.lda;
      uint16_t* const target = numbers.data() + r * kDepthBlock;
      for (int64_t done = 0; done < count;) {
        const int64_t segment = (k + done) / p.depth;
        const int64_t inside = (k + done) % p.depth;
        const int64_t piece = std::min(count - done, p.depth - inside);
        const float* from = row + segment * p.segment_stride + inside;
        if (p.factors != nullptr) {
          for (int64_t i = 0; i < piece; ++i) scaled[i] = from[i] * p.factors[inside + i];
          from = scaled.data();
        }
        if (pieces == 1) {
          kernel.round(from, piece, target + done);
        } else {
          SplitBFloat16(from, piece, pieces, target + done, Stride(kernel));
        }
        done += piece;
      }
      const int64_t zeros = 2 * BFloat16Pairs(count) - count;
      for (int i = 0; i < pieces; ++i) std::fill_n(target + i * Stride(kernel) + count, zeros, uint16_t{0});
    }
  }

  /// Numbers from one piece to the next.
  static int64_t Stride(const BFloat16Kernel& kernel) { return kernel.row_block * kDepthBlock; }
};

/// A product, and the parts of it that one thread computes.
class Multiplication {
 public:
  Multiplication(const WeightProduct& product, const BFloat16Kernel& kernel)
      : p_(product), kernel_(kernel), depth_(product.depth * product.segments) {}

  void Run(int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) const {
    RoundedRows rounded;
    if (kernel_.begin != nullptr) kernel_.begin();
    for (int64_t row = first_row; row < last_row; row += kernel_.row_block) {
      const int64_t rows = std::min(kernel_.row_block, last_row - row);
      for (int64_t k = 0; k == 0 || k < depth_; k += kDepthBlock) {
        rounded.Fill(p_, kernel_, row, rows, k, std::min(kDepthBlock, depth_ - k));
        for (int64_t panel = first_panel; panel < last_panel; ++panel) {
          const int64_t following = panel + 1 == last_panel ? first_panel : panel + 1;
          MultiplyPanel(rounded, panel, k, row, rows, WeightAt(following, k));
        }
      }
    }
    if (kernel_.end != nullptr) kernel_.end();
  }

 private:
  /// The weight in a panel, from number k of the depth on, where a block begins.
  const uint16_t* WeightAt(int64_t panel, int64_t k) const {
    const int64_t width = BFloat16PanelVectors(p_.columns, panel) * kBFloat16Lanes;
    return static_cast<const uint16_t*>(p_.weight) +
           p_.weight_type.pieces * (panel * kBFloat16Columns * 2 * BFloat16Pairs(depth_) + k * width);
  }

  void MultiplyPanel(const RoundedRows& rounded, int64_t panel, int64_t k, int64_t row, int64_t rows,
                     const uint16_t* next) const {
    const int64_t column = panel * kBFloat16Columns;
    BFloat16Tile tile{};
    tile.vectors = BFloat16PanelVectors(p_.columns, panel);
    tile.pairs = DivideUp(std::min(kDepthBlock, depth_ - k), 2);
    tile.pieces = p_.weight_type.pieces;
    tile.lda = kDepthBlock;
    tile.a_stride = RoundedRows::Stride(kernel_);
    tile.weight = WeightAt(panel, k);
    const TileResults results(p_, column, std::min(p_.columns - column, tile.vectors * kBFloat16Lanes), k == 0,
                              k + kDepthBlock >= depth_);
    const int64_t tiles = DivideUp(rows, kernel_.height(tile.vectors, rows));
    tile.next = next;
    tile.next_stride = tile.pieces * tile.vectors * kBFloat16Lanes * 2 / tiles + 1;
    for (int64_t first = 0; first < rows; first += tile.rows) {
      tile.rows = kernel_.height(tile.vectors, rows - first);
      tile.a = rounded.numbers.data() + first * kDepthBlock;
      tile.result = results.From(row + first);
      kernel_.multiply(tile);
      results.Finish(tile.result, tile.rows);
      tile.next += tile.pairs * tile.next_stride;
    }
  }

  const WeightProduct& p_;
  const BFloat16Kernel& kernel_;
  int64_t depth_;  ///< of all segments
};

}  // namespace

void MultiplyByBFloat16Weight(const WeightProduct& p, const BFloat16Kernel& kernel) {
  if (p.rows == 0 || p.columns == 0) return;
  const Multiplication multiplication(p, kernel);
  const int64_t panels = DivideUp(p.columns, kBFloat16Columns);
  const int64_t depth = p.depth * p.segments;
  const int64_t together = kernel.rows_together;
  const int64_t blocks = DivideUp(p.rows, together);
  if (CutsColumns(p.rows, p.columns, panels, blocks, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * depth * kBFloat16Columns + 1),
                [&](int64_t begin, int64_t end) { multiplication.Run(begin, end, 0, p.rows); });
  } else {
    ParallelFor(blocks, DivideUp(kWorthThread, together * depth * p.columns + 1), [&](int64_t begin, int64_t end) {
      multiplication.Run(0, panels, begin * together, std::min(p.rows, end * together));
    });
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16/product.hpp"

#include <algorithm>

#include "kernel/product/bfloat16/row_copies.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/product_cut.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{128} << 10;

/// A product, and the parts of it that one thread computes.
class Multiplication {
 public:
  Multiplication(const WeightProduct& product, const BFloat16Kernel& kernel)
      : p_(product), kernel_(kernel), depth_(product.depth * product.segments), block_(DepthBlock()) {
    const int64_t rows = kRowNumbers / (p_.weight_type.pieces * CopyPitch(block_));
    row_block_ = std::min(kernel.row_block, RoundDown(rows, kernel.rows_read));
    in_place_ = p_.a_type == RuntimeDataType::kTypeBFloat16 && block_ >= depth_ && p_.depth > 0 &&
                p_.depth % kernel.depth_read == 0;
  }

  int64_t panels() const { return panels_; }

  void Run(int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) const {
    RowCopies copies;
    if (kernel_.begin != nullptr) kernel_.begin();
    for (int64_t row = first_row; row < last_row;) {
      int64_t rows = std::min(row_block_, last_row - row);
      const bool in_place = in_place_ && rows >= kernel_.rows_read;
      if (in_place) rows = RoundDown(rows, kernel_.rows_read);
      for (int64_t k = 0; k == 0 || k < depth_; k += block_) {
        const RowsRead a =
            in_place ? InPlace(row) : copies.Fill(p_, kernel_, row, rows, k, std::min(block_, depth_ - k));
        const bool deeper = k + block_ < depth_;
        const bool more = deeper || row + rows < last_row;
        const int64_t panel_behind = PanelBehind(first_panel, last_panel, panels_, more);
        const uint16_t* const behind = WeightAt(panel_behind, deeper ? k + block_ : 0);
        for (int64_t panel = first_panel; panel < last_panel; ++panel) {
          MultiplyPanel(a, panel, k, row, rows, panel + 1 < last_panel ? WeightAt(panel + 1, k) : behind);
        }
      }
      row += rows;
    }
    if (kernel_.end != nullptr) kernel_.end();
  }

 private:
  /// The depth that is added up in registers.
  int64_t DepthBlock() const {
    const int64_t most = p_.weight_type.pieces == 1 ? kMostRoundedDepth : kPiecesBlock;
    return std::max<int64_t>(1, std::min(depth_, most));
  }

  RowsRead InPlace(int64_t row) const {
    return {static_cast<const uint16_t*>(p_.a) + row * p_.lda, p_.lda, 0, p_.segments, p_.segment_stride, p_.depth / 2};
  }

  /// The weight in a panel, from number k of the depth on, where a block begins.
  const uint16_t* WeightAt(int64_t panel, int64_t k) const {
    const int64_t width = BFloat16PanelVectors(p_.columns, panel) * kBFloat16Lanes;
    return static_cast<const uint16_t*>(p_.weight) +
           p_.weight_type.pieces * (panel * kBFloat16Columns * 2 * BFloat16Pairs(depth_) + k * width);
  }

  void MultiplyPanel(const RowsRead& a, int64_t panel, int64_t k, int64_t row, int64_t rows,
                     const uint16_t* next) const {
    alignas(kCacheLine) float sums[kMostBFloat16Height * kBFloat16Columns];  // of results that are rounded behind
    const int64_t column = panel * kBFloat16Columns;
    BFloat16Tile tile{};
    tile.vectors = BFloat16PanelVectors(p_.columns, panel);
    tile.pairs = a.pairs;
    tile.pieces = p_.weight_type.pieces;
    tile.lda = a.lda;
    tile.a_stride = a.a_stride;
    tile.segments = a.segments;
    tile.segment_stride = a.segment_stride;
    tile.weight = WeightAt(panel, k);
    const TileResults results(p_, column, std::min(p_.columns - column, tile.vectors * kBFloat16Lanes), k == 0,
                              k + block_ >= depth_);
    const int64_t tiles = DivideUp(rows, kernel_.height(tile.vectors, rows));
    tile.next = next;
    tile.next_stride = tile.pieces * tile.vectors * kBFloat16Lanes * 2 / tiles + 1;
    for (int64_t first = 0; first < rows; first += tile.rows) {
      tile.rows = kernel_.height(tile.vectors, rows - first);
      tile.a = a.a + first * a.lda;
      if (p_.c_type == RuntimeDataType::kTypeBFloat16) {
        tile.result = results.Into(sums, kBFloat16Columns, row + first);
        MultiplyRounded(tile, results, static_cast<uint16_t*>(p_.c) + (row + first) * p_.ldc + column);
      } else {
        tile.result = results.From(row + first);
        kernel_.multiply(tile);
        results.Finish(tile.result, tile.rows);
      }
      tile.next += tile.segments * tile.pairs * tile.next_stride;
    }
  }

  /// Computes a tile whose results go to `c`, rounded; to tile.result.c before where the unit can't do all at once.
  void MultiplyRounded(const BFloat16Tile& tile, const TileResults& results, uint16_t* c) const {
    const TileResult& result = tile.result;
    if (kernel_.multiply_rounded != nullptr && tile.vectors == kBFloat16Vectors && results.Finished()) {
      kernel_.multiply_rounded(tile, c, p_.ldc);
      return;
    }
    kernel_.multiply(tile);
    results.Finish(result, tile.rows);
    for (int64_t r = 0; r < tile.rows; ++r) kernel_.round(result.c + r * result.ldc, result.columns, c + r * p_.ldc);
  }

  const WeightProduct& p_;
  const BFloat16Kernel& kernel_;
  int64_t depth_;      ///< of all segments
  int64_t block_;      ///< of the depth, behind which sums are written
  int64_t row_block_;  ///< rows whose numbers are copied together
  bool in_place_;      ///< tiles can read rows where they lie
  const int64_t panels_ = DivideUp(p_.columns, kBFloat16Columns);
};

}  // namespace

void MultiplyByBFloat16Weight(const WeightProduct& p, const BFloat16Kernel& kernel) {
  if (p.rows == 0 || p.columns == 0) return;
  const Multiplication multiplication(p, kernel);
  const int64_t panels = multiplication.panels();
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

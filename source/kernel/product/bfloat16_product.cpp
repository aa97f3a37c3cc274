// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16_product.hpp"

#include <algorithm>
#include <array>

#include "kernel/product/bfloat16_tile.hpp"
#include "kernel/product/product_cut.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{128} << 10;
/// The depth of a panel of the weight that stays in the first-level cache while the rows pass.
constexpr int64_t kDepthBlock = 256;
/// Rows that are rounded together and then multiplied by one panel after the other.
constexpr int64_t kRowBlock = 112;

/// The rounded numbers of some rows, some part of the depth.
struct RoundedRows {
  std::array<uint16_t, kRowBlock * kDepthBlock> numbers;
  std::array<float, kDepthBlock> scaled;

  /// Rounds `rows` rows of the product from `first` on, numbers [k, k + count) of the depth of all segments.
  void Fill(const WeightProduct& p, const BFloat16Kernel& kernel, int64_t first, int64_t rows, int64_t k,
            int64_t count) {
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
        kernel.round(from, piece, target + done);
        done += piece;
      }
      if (count % 2 != 0) target[count] = 0;
    }
  }
};

/// A product, and the parts of it that one thread computes.
class Multiplication {
 public:
  Multiplication(const WeightProduct& product, const BFloat16Kernel& kernel)
      : p_(product), kernel_(kernel), depth_(product.depth * product.segments) {}

  void Run(int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) const {
    RoundedRows rounded;
    for (int64_t row = first_row; row < last_row; row += kRowBlock) {
      const int64_t rows = std::min(kRowBlock, last_row - row);
      for (int64_t k = 0; k == 0 || k < depth_; k += kDepthBlock) {
        rounded.Fill(p_, kernel_, row, rows, k, std::min(kDepthBlock, depth_ - k));
        for (int64_t panel = first_panel; panel < last_panel; ++panel) {
          const int64_t following = panel + 1 == last_panel ? first_panel : panel + 1;
          MultiplyPanel(rounded, panel, k, row, rows, WeightAt(following, k));
        }
      }
    }
  }

 private:
  const uint16_t* WeightAt(int64_t panel, int64_t k) const {
    return static_cast<const uint16_t*>(p_.weight) +
           2 * (panel * kBFloat16Columns * BFloat16Pairs(depth_) +
                k / 2 * BFloat16PanelVectors(p_.columns, panel) * kBFloat16Lanes);
  }

  void MultiplyPanel(const RoundedRows& rounded, int64_t panel, int64_t k, int64_t row, int64_t rows,
                     const uint16_t* next) const {
    const int64_t column = panel * kBFloat16Columns;
    BFloat16Tile tile{};
    tile.vectors = BFloat16PanelVectors(p_.columns, panel);
    tile.pairs = BFloat16Pairs(std::min(kDepthBlock, depth_ - k));
    tile.lda = kDepthBlock;
    tile.weight = WeightAt(panel, k);
    const TileResults results(p_, column, std::min(p_.columns - column, tile.vectors * kBFloat16Lanes), k == 0,
                              k + kDepthBlock >= depth_);
    const int64_t tiles = DivideUp(rows, kernel_.height(tile.vectors));
    tile.next_stride = tile.vectors * kBFloat16Lanes * 2 / tiles + 1;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t first = rows * i / tiles;
      tile.rows = rows * (i + 1) / tiles - first;
      tile.a = rounded.numbers.data() + first * kDepthBlock;
      tile.next = next + tile.pairs * i * tile.next_stride;
      tile.result = results.From(row + first);
      kernel_.multiply(tile);
      results.Finish(tile.result, tile.rows);
    }
  }

  const WeightProduct& p_;
  const BFloat16Kernel& kernel_;
  int64_t depth_;  ///< of all segments
};

}  // namespace

void MultiplyByBFloat16Weight(const WeightProduct& p, MatrixUnit unit) {
  if (p.rows == 0 || p.columns == 0) return;
  const Multiplication multiplication(p, BFloat16KernelOf(unit));
  const int64_t panels = DivideUp(p.columns, kBFloat16Columns);
  const int64_t depth = p.depth * p.segments;
  constexpr int64_t kLeastRows = 8;
  const int64_t blocks = DivideUp(p.rows, kLeastRows);
  if (CutsColumns(p.rows, p.columns, panels, blocks, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * depth * kBFloat16Columns + 1),
                [&](int64_t begin, int64_t end) { multiplication.Run(begin, end, 0, p.rows); });
  } else {
    ParallelFor(blocks, DivideUp(kWorthThread, kLeastRows * depth * p.columns + 1), [&](int64_t begin, int64_t end) {
      multiplication.Run(0, panels, begin * kLeastRows, std::min(p.rows, end * kLeastRows));
    });
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
// The driver of all products: shares them out among threads and cuts them into blocks of rows and of the depth.
#include <algorithm>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/product_kernel.hpp"
#include "utils/element_at.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The part of a product that one thread computes at a time.
struct ProductPart {
  int64_t first_panel;
  int64_t last_panel;
  int64_t first_row;
  int64_t last_row;
};

/// Whether threads should share a product by the columns of the packed weight, in panels, and not by rows, in tiles. If
/// columns are cut, each thread reads all rows; if rows are cut, each thread reads the whole weight. The smaller of the
/// two should be the one that all threads read. Besides, all parts should have nearly equal sizes.
bool CutsColumns(const Product& p, int64_t panels, int64_t tiles, int64_t threads) {
  constexpr int64_t kManyPanels = 8;
  const bool equal = panels % threads == 0 || panels >= kManyPanels * threads || tiles < threads;
  return equal && p.columns > p.rows;
}

/// Computes parts of a product in one thread.
class PartMultiplier {
 public:
  PartMultiplier(const Product& product, const ProductBlocks& blocks, std::byte* scratch)
      : p_(product), kernel_(*product.weight.kernel), blocks_(blocks), scratch_(scratch) {}

  void Run(const ProductPart& part) const {
    for (int64_t row = part.first_row; row < part.last_row;) {
      const int64_t left = part.last_row - row;
      const bool in_place = blocks_.in_place && left >= blocks_.rows_read;
      const int64_t count = in_place ? RoundDown(std::min(blocks_.rows, left), blocks_.rows_read)
                                     : std::min(left, RoundUp(EvenTileHeight(left, blocks_.rows), blocks_.rows_read));
      RunRows(part, row, count, in_place);
      row += count;
    }
  }

 private:
  /// Multiplies rows [row, row + count) by all panels of the part. If the rows have to be copied, one part of the depth
  /// is copied at a time, because the copy then stays in the cache while the panels are multiplied.
  void RunRows(const ProductPart& part, int64_t row, int64_t count, bool in_place) const {
    const bool more_rows = row + count < part.last_row;
    const int64_t copied = in_place ? std::max<int64_t>(depth_, 1) : blocks_.depth;
    for (int64_t k = 0; k == 0 || k < depth_; k += copied) {
      const ProductBlock block{row, count, k, std::min(copied, depth_ - k)};
      const LeftRows left = in_place ? InPlace(row) : kernel_.Prepare(p_, block, scratch_);
      const bool deeper = k + copied < depth_;
      const int64_t behind = PanelBehind(part, deeper || more_rows);
      for (int64_t panel = part.first_panel; panel < part.last_panel; ++panel) {
        const bool last = panel + 1 == part.last_panel;
        const int64_t following = last ? behind : panel + 1;
        kernel_.Prefetch(p_, following);
        MultiplyPanel(block, left, panel, kernel_.WeightAt(p_, following, last && deeper ? k + copied : last ? 0 : k));
      }
    }
  }

  /// Multiplies a block by a panel. The depth is cut into parts such that a part of the panel stays in the first-level
  /// cache.
  void MultiplyPanel(const ProductBlock& block, const LeftRows& left, int64_t panel, const void* next) const {
    const int64_t end = block.k + block.depth;
    for (int64_t k = block.k; k == block.k || k < end; k += blocks_.depth) {
      const int64_t depth = std::min(blocks_.depth, end - k);
      const bool last = k + blocks_.depth >= end;
      PanelTask task{p_,
                     panel,
                     {block.first, block.count, k, depth},
                     left,
                     k == 0,
                     k + blocks_.depth >= depth_,
                     last ? next : kernel_.WeightAt(p_, panel, k + blocks_.depth),
                     scratch_};
      if (k > block.k) task.left.data = ElementAt(left.data, p_.a.type, k - block.k);
      kernel_.MultiplyPanel(task);
    }
  }

  LeftRows InPlace(int64_t row) const {
    const int64_t ld = depth_ > 0 ? p_.a.ld : 0;  // with a depth of 0, `a` may be null
    return {ElementAt(p_.a.data, p_.a.type, row * ld), ld, p_.segments, p_.segment_stride, p_.depth};
  }

  /// Returns the panel that the thread reads after the panels of its part: the first one again if `more` rows or a
  /// further part of the depth need these panels. Otherwise the thread continues with the next piece of its share,
  /// which has the next columns or other rows.
  int64_t PanelBehind(const ProductPart& part, bool more) const {
    const int64_t panels = DivideUp(p_.columns, kernel_.panels.Columns());
    const bool cuts_rows = part.first_panel == 0 && part.last_panel == panels;
    return more || cuts_rows ? part.first_panel : std::min(part.last_panel, panels - 1);
  }

  const Product& p_;
  const ProductKernel& kernel_;
  const ProductBlocks& blocks_;
  std::byte* scratch_;
  const int64_t depth_ = p_.depth * p_.segments;
};

template <int64_t kBytes>
[[gnu::noinline]] void MultiplyWithScratch(const Product& p, const ProductBlocks& blocks, const ProductPart& part) {
  alignas(kCacheLine) std::byte scratch[kBytes];  // not cleared, because tiles read only what was written before
  PartMultiplier(p, blocks, scratch).Run(part);
}

/// Computes a part with as much scratch memory on the stack as the kernel wants.
void MultiplyPart(const Product& p, const ProductBlocks& blocks, const ProductPart& part) {
  constexpr int64_t kUsual = int64_t{64} << 10;
  const ProductKernel& kernel = *p.weight.kernel;
  kernel.Begin();
  if (kernel.scratch_bytes <= kUsual) {
    MultiplyWithScratch<kUsual>(p, blocks, part);
  } else {
    MultiplyWithScratch<kMostProductScratch>(p, blocks, part);
  }
  kernel.End();
}

}  // namespace

void Multiply(const Product& p) {
  if (p.rows == 0 || p.columns == 0) return;
  const ProductKernel& kernel = *p.weight.kernel;
  const ProductBlocks blocks = kernel.Blocks(p);
  const int64_t width = kernel.panels.Columns();
  const int64_t panels = DivideUp(p.columns, width);
  const int64_t tiles = DivideUp(p.rows, blocks.rows_together);
  const int64_t depth = p.depth * p.segments;
  if (CutsColumns(p, panels, tiles, MaxThreads())) {
    int64_t grain = DivideUp(kernel.worth_thread, p.rows * depth * width + 1);
    // Each part rounds all rows. Few parts do so less often, but more than one for a thread lets threads end together.
    constexpr int64_t kFewRows = 16;
    if (kernel.rounds_rows && p.rows > kFewRows) {
      grain = std::max(grain, DivideUp(panels, 2 * static_cast<int64_t>(MaxThreads())));
    }
    ParallelFor(panels, grain, [&](int64_t begin, int64_t end) { MultiplyPart(p, blocks, {begin, end, 0, p.rows}); });
  } else {
    ParallelFor(tiles, DivideUp(kernel.worth_thread, blocks.rows_together * depth * p.columns + 1),
                [&](int64_t begin, int64_t end) {
                  MultiplyPart(p, blocks,
                               {0, panels, begin * blocks.rows_together, std::min(p.rows, end * blocks.rows_together)});
                });
  }
}

}  // namespace kuiper_infer::kernel

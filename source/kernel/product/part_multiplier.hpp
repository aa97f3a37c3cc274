// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/product_list.hpp"
#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {

/// The part of products that one thread computes at a time.
struct ProductPart {
  int64_t first_panel;
  int64_t last_panel;
  int64_t first_row;
  int64_t last_row;
};

/// Computes parts of products, one after the other, in one thread.
class PartMultiplier {
 public:
  /// All arguments outlive the object.
  PartMultiplier(const ProductList& products, const ProductBlocks& blocks, std::byte* scratch)
      : products_(products), blocks_(blocks), scratch_(scratch) {}

  void Run(const ProductPart& part) {
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
  void RunRows(const ProductPart& part, int64_t row, int64_t count, bool in_place) {
    const bool more_rows = row + count < part.last_row;
    const int64_t copied = in_place ? std::max<int64_t>(depth_, 1) : blocks_.depth;
    for (int64_t k = 0; k == 0 || k < depth_; k += copied) {
      const ProductBlock block{row, count, k, std::min(copied, depth_ - k)};
      const LeftRows left = in_place ? InPlace(row) : Prepared(block);
      const bool deeper = k + copied < depth_;
      const int64_t behind = PanelBehind(part, deeper || more_rows);
      for (int64_t panel = part.first_panel; panel < part.last_panel; ++panel) {
        const bool last = panel + 1 == part.last_panel;
        const auto [product, following] = products_.At(last ? behind : panel + 1);
        kernel_.Prefetch(product, following);
        MultiplyPanel(block, left, products_.At(panel),
                      kernel_.WeightAt(product, following,
                                       last && deeper ? k + copied
                                       : last         ? 0
                                                      : k));
      }
    }
  }

  /// Multiplies a block by a panel. The depth is cut into parts such that a part of the panel stays in the first-level
  /// cache.
  void MultiplyPanel(const ProductBlock& block, const LeftRows& left, const ProductList::Panel& panel,
                     const void* next) const {
    const int64_t end = block.k + block.depth;
    for (int64_t k = block.k; k == block.k || k < end; k += blocks_.depth) {
      const int64_t depth = std::min(blocks_.depth, end - k);
      const bool last = k + blocks_.depth >= end;
      PanelTask task{panel.product,
                     panel.index,
                     {block.first, block.count, k, depth},
                     left,
                     k == 0,
                     k + blocks_.depth >= depth_,
                     last ? next : kernel_.WeightAt(panel.product, panel.index, k + blocks_.depth),
                     scratch_};
      if (k > block.k) task.left.data = ElementAt(left.data, p_.a.type, k - block.k);
      kernel_.MultiplyPanel(task);
    }
  }

  LeftRows InPlace(int64_t row) const {
    const int64_t ld = depth_ > 0 ? p_.a.ld : 0;  // with a depth of 0, `a` may be null
    return {ElementAt(p_.a.data, p_.a.type, row * ld), ld, p_.segments, p_.segment_stride, p_.depth};
  }

  /// The block as the kernel prepares it. Few rows are one block, which is prepared once for all parts.
  const LeftRows& Prepared(const ProductBlock& block) {
    const ProductBlock& former = prepared_block_;
    if (block.first != former.first || block.count != former.count || block.k != former.k) {
      prepared_ = kernel_.Prepare(p_, block, scratch_);
      prepared_block_ = block;
    }
    return prepared_;
  }

  /// Returns the panel that the thread reads after the panels of its part: the first one again if `more` rows or a
  /// further part of the depth need these panels. Otherwise the thread continues with the next piece of its share,
  /// which has the next columns or other rows.
  int64_t PanelBehind(const ProductPart& part, bool more) const {
    const bool cuts_rows = part.first_panel == 0 && part.last_panel == products_.panels();
    return more || cuts_rows ? part.first_panel : std::min(part.last_panel, products_.panels() - 1);
  }

  const ProductList& products_;
  const Product& p_ = products_.front();
  const ProductKernel& kernel_ = *p_.weight.kernel;
  const ProductBlocks& blocks_;
  std::byte* scratch_;
  const int64_t depth_ = p_.depth * p_.segments;
  LeftRows prepared_{};
  ProductBlock prepared_block_{-1, 0, 0, 0};
};

}  // namespace kuiper_infer::kernel

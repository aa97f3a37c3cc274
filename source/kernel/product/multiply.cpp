// SPDX-License-Identifier: MIT
// The driver of all products: shares them out among threads, which compute parts of them (part_multiplier.hpp).
#include <algorithm>

#include "kernel/product/multiply_together.hpp"
#include "kernel/product/part_multiplier.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Whether threads should share products by the columns of the packed weights, in panels, and not by rows, in tiles. If
/// columns are cut, each thread reads all rows; if rows are cut, each thread reads the whole weights. The smaller of
/// the two should be the one that all threads read. Besides, all parts should have nearly equal sizes.
bool CutsColumns(const ProductList& products, int64_t tiles, int64_t threads) {
  // Each thread that reads all rows would round them all.
  constexpr int64_t kManyRows = 64;
  const Product& p = products.front();
  if (p.weight.kernel->rounds_rows && p.rows >= kManyRows * threads) return false;
  constexpr int64_t kManyPanels = 8;
  const int64_t panels = products.panels();
  const bool equal = panels % threads == 0 || panels >= kManyPanels * threads || tiles < threads;
  return equal && products.columns() > products.front().rows;
}

/// The number of panels that are worth a thread.
int64_t PanelGrain(const ProductList& products) {
  const Product& p = products.front();
  const ProductKernel& kernel = *p.weight.kernel;
  const int64_t grain = DivideUp(kernel.worth_thread, p.rows * p.depth * p.segments * kernel.panels.Columns() + 1);
  // If there are many rows, each part may round them anew. Few parts do so less often, but more than one for a thread
  // lets threads end together.
  constexpr int64_t kFewRows = 16;
  if (!kernel.rounds_rows || p.rows <= kFewRows) return grain;
  return std::max(grain, DivideUp(products.panels(), 2 * static_cast<int64_t>(MaxThreads())));
}

template <int64_t kBytes>
[[gnu::noinline]] void WorkWithScratch(const ProductList& products, const ProductBlocks& blocks,
                                       FunctionRef<void(PartMultiplier& multiplier)> work) {
  alignas(kCacheLine) std::byte scratch[kBytes];  // not cleared, because tiles read only what was written before
  PartMultiplier multiplier(products, blocks, scratch);
  work(multiplier);
}

/// Does a thread's work with as much scratch memory on the stack as the kernel wants.
void Work(const ProductList& products, const ProductBlocks& blocks,
          FunctionRef<void(PartMultiplier& multiplier)> work) {
  constexpr int64_t kUsual = int64_t{64} << 10;
  const ProductKernel& kernel = *products.front().weight.kernel;
  kernel.Begin();
  if (kernel.scratch_bytes <= kUsual) {
    WorkWithScratch<kUsual>(products, blocks, work);
  } else {
    WorkWithScratch<kMostProductScratch>(products, blocks, work);
  }
  kernel.End();
}

/// Computes products in one parallel region.
void MultiplyList(const ProductList& products) {
  const Product& p = products.front();
  if (p.rows == 0 || products.panels() == 0) return;
  const ProductKernel& kernel = *p.weight.kernel;
  const ProductBlocks blocks = kernel.Blocks(p);
  const int64_t together = blocks.rows_together;
  const int64_t tiles = DivideUp(p.rows, together);
  const bool columns = CutsColumns(products, tiles, MaxThreads());
  const int64_t grain = columns
                            ? PanelGrain(products)
                            : DivideUp(kernel.worth_thread, together * p.depth * p.segments * products.columns() + 1);
  ParallelWorkers(
      columns ? products.panels() : tiles, grain, MaxThreads(), [&](int64_t /*worker*/, WorkerPieces pieces) {
        Work(products, blocks, [&](PartMultiplier& multiplier) {
          int64_t first = 0;
          int64_t last = 0;
          while (pieces.Take(first, last)) {
            multiplier.Run(
                columns ? ProductPart{first, last, 0, p.rows}
                        : ProductPart{0, products.panels(), first * together, std::min(p.rows, last * together)});
          }
        });
      });
}

/// Whether a kernel prepares the rows of two products alike, if the rows are the same.
bool PreparesAlike(const Product& one, const Product& other) {
  return one.weight.kernel == other.weight.kernel && one.weight.groups == other.weight.groups;
}

}  // namespace

void Multiply(const Product& product) { MultiplyList({&product, 1}); }

void MultiplyTogether(const Product* products, int64_t count) {
  for (int64_t first = 0, end = 0; first < count; first = end) {
    end = first + 1;
    while (end < count && PreparesAlike(products[first], products[end])) ++end;
    MultiplyList({products + first, end - first});
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/product/int8/product.hpp"

#include <algorithm>

#include "kernel/product/int8/panel.hpp"
#include "kernel/product/int8/panel_result.hpp"
#include "kernel/product/int8/tile.hpp"
#include "kernel/product/product_cut.hpp"
#include "utils/parallel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The number of multiply-adds that are worth a thread.
constexpr int64_t kWorthThread = int64_t{256} << 10;
/// Bytes of rows that are multiplied by one panel after the other while they stay in the second-level cache.
constexpr int64_t kRowBlockBytes = int64_t{192} << 10;
/// Rows of such a block: fewer are not worth reading the whole weight.
constexpr int64_t kFewestBlockRows = 64;

/// Rows of bytes, where they lie or copied.
struct ByteRows {
  const uint8_t* a;
  int64_t lda;
  int64_t segments;
  int64_t segment_stride;
  int64_t depth;
};

/// Copies of rows, with each segment filled up to a multiple of four.
class CopiedRows {
 public:
  ByteRows Fill(const Int8Product& p, int64_t first, int64_t rows) {
    const int64_t padded = RoundUp(p.depth, 4);
    const int64_t ld = p.segments * padded;
    if (p.segments == 1) {
      Copy(p, rows, first * p.lda, p.lda, bytes_);
    } else {
      for (int64_t r = 0; r < rows; ++r) Copy(p, p.segments, (first + r) * p.lda, p.segment_stride, bytes_ + r * ld);
    }
    return {bytes_, ld, 1, 0, ld};
  }

 private:
  /// Copies or rounds `count` runs of numbers of a, a stride apart, and fills each up.
  static void Copy(const Int8Product& p, int64_t count, int64_t from, int64_t stride, uint8_t* to) {
    const int64_t padded = RoundUp(p.depth, 4);
    if (p.a_type == RuntimeDataType::kTypeFloat32) {
      RoundRowsToBytes(p.a_grid, count, p.depth, static_cast<const float*>(p.a) + from, stride, to, padded);
    } else {
      const auto* const bytes = static_cast<const uint8_t*>(p.a) + from;
      for (int64_t i = 0; i < count; ++i) std::copy_n(bytes + i * stride, p.depth, to + i * padded);
    }
    if (p.depth == padded) return;
    for (int64_t i = 0; i < count; ++i) std::fill(to + i * padded + p.depth, to + (i + 1) * padded, uint8_t{0});
  }

  uint8_t bytes_[kMostInt8Depth];
};

/// A product, and the parts of it that one thread computes.
class Multiplication {
 public:
  Multiplication(const Int8Product& product, const Int8Kernel& kernel) : p_(product), kernel_(kernel) {}

  int64_t panels() const { return panels_; }

  void Run(int64_t first_panel, int64_t last_panel, int64_t first_row, int64_t last_row) const {
    const bool readable = p_.depth >= 4 || p_.depth == 0;
    if (kernel_.begin != nullptr) kernel_.begin();
    if (p_.a_type == RuntimeDataType::kTypeUInt8 && readable) {
      ForRows(std::max(kFewestBlockRows, RowsOf(kRowBlockBytes)), first_row, last_row, [&](int64_t row, int64_t rows) {
        const ByteRows a{static_cast<const uint8_t*>(p_.a) + row * p_.lda, p_.lda, p_.segments, p_.segment_stride,
                         p_.depth};
        MultiplyPanels(a, first_panel, last_panel, row, rows, row + rows < last_row);
      });
    } else {
      CopiedRows copied;
      ForRows(RowsOf(kMostInt8Depth), first_row, last_row, [&](int64_t row, int64_t rows) {
        MultiplyPanels(copied.Fill(p_, row, rows), first_panel, last_panel, row, rows, row + rows < last_row);
      });
    }
    if (kernel_.end != nullptr) kernel_.end();
  }

 private:
  /// The rows that have at most so many bytes, at least one.
  int64_t RowsOf(int64_t bytes) const {
    const int64_t row_bytes = std::max<int64_t>(1, 4 * Int8Quads(p_.depth, p_.segments));
    return std::max<int64_t>(1, bytes / row_bytes);
  }

  /// Calls body(row, rows) for parts of at most `block` rows.
  template <class Body>
  static void ForRows(int64_t block, int64_t first, int64_t last, const Body& body) {
    for (int64_t row = first; row < last; row += block) body(row, std::min(block, last - row));
  }

  /// `more`: rows behind these are multiplied by the same panels.
  void MultiplyPanels(const ByteRows& a, int64_t first_panel, int64_t last_panel, int64_t row, int64_t rows,
                      bool more) const {
    const int64_t behind = PanelBehind(first_panel, last_panel, panels_, more);
    for (int64_t panel = first_panel; panel < last_panel; ++panel) {
      const int64_t following = panel + 1 < last_panel ? panel + 1 : behind;
      Int8PanelResult::Prefetch(p_, following);
      MultiplyPanel(a, panel, row, rows, Int8PanelAt(p_, following));
    }
  }

  /// `next` is the panel that comes afterwards, from afar: each tile fetches its share.
  void MultiplyPanel(const ByteRows& a, int64_t panel, int64_t row, int64_t rows, const int8_t* next) const {
    alignas(kCacheLine) int32_t sums[kMostInt8Height * kInt8Columns];
    const int64_t vectors = Int8PanelVectors(p_.columns, panel);
    const Int8Kernel& kernel = Int8KernelForPanel(kernel_, Int8PanelEnd(p_, panel), vectors * kInt8Lanes);
    const Int8PanelResult result(p_, panel, kernel.offset);
    Int8Tile tile{};
    tile.lda = a.lda;
    tile.segments = a.segments;
    tile.segment_stride = a.segment_stride;
    tile.depth = a.depth;
    tile.weight = Int8PanelAt(p_, panel);
    tile.vectors = vectors;
    tile.starts = result.starts();
    tile.sums = sums;
    const int64_t tiles = DivideUp(rows, kernel.height(tile.vectors, rows));
    tile.next = next;
    tile.next_stride = tile.vectors * kInt8Lanes * 4 / tiles + 1;
    if (kernel.write_bytes != nullptr && result.GivesPlainBytes(kernel.byte_columns)) {
      tile.rows = rows;
      tile.a = a.a;
      kernel.write_bytes(tile, result.At(row));
      return;
    }
    for (int64_t first = 0; first < rows; first += tile.rows) {
      tile.rows = kernel.height(tile.vectors, rows - first);
      tile.a = a.a + first * a.lda;
      kernel.sum(tile);
      result.Write(row + first, tile.rows, sums);
      tile.next += Int8Quads(a.depth, a.segments) * tile.next_stride;
    }
  }

  const Int8Product& p_;
  const Int8Kernel& kernel_;
  const int64_t panels_ = DivideUp(p_.columns, kInt8Columns);
};

}  // namespace

const Int8Kernel& Int8KernelOf([[maybe_unused]] Int8Unit unit) {
#if defined(__x86_64__)
  if (unit == Int8Unit::kAmx) return AmxInt8Kernel();
  if (unit == Int8Unit::kAvx512Vnni) return Avx512VnniInt8Kernel();
  if (unit == Int8Unit::kAvxVnni) return AvxVnniInt8Kernel();
  if (unit == Int8Unit::kAvx2) return Avx2Int8Kernel();
#endif
#if defined(__aarch64__)
  if (unit == Int8Unit::kDotProd) return DotProdInt8Kernel();
#endif
  return PortableInt8Kernel();
}

bool GainsByNarrowPairs() { return Int8KernelOf(UsedInt8Unit()).narrow != nullptr; }

void MultiplyByInt8Weight(const Int8Product& p, Int8Unit unit) { MultiplyByInt8Weight(p, Int8KernelOf(unit)); }

void MultiplyByInt8Weight(const Int8Product& p, const Int8Kernel& kernel) {
  if (p.rows == 0 || p.columns == 0) return;
  const Multiplication multiplication(p, kernel);
  const int64_t panels = multiplication.panels();
  const int64_t depth = p.depth * p.segments;
  constexpr int64_t kLeastRows = 8;
  const int64_t blocks = DivideUp(p.rows, kLeastRows);
  if (CutsColumns(p.rows, p.columns, panels, blocks, MaxThreads())) {
    ParallelFor(panels, DivideUp(kWorthThread, p.rows * depth * kInt8Columns + 1),
                [&](int64_t begin, int64_t end) { multiplication.Run(begin, end, 0, p.rows); });
  } else {
    ParallelFor(blocks, DivideUp(kWorthThread, kLeastRows * depth * p.columns + 1), [&](int64_t begin, int64_t end) {
      multiplication.Run(0, panels, begin * kLeastRows, std::min(p.rows, end * kLeastRows));
    });
  }
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/product/int8/kernel.hpp"

#include <algorithm>

#include "kernel/product/int8/panel_epilogue.hpp"
#include "kernel/product/int8/panels.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kWorthThread = int64_t{256} << 10;
/// Bytes of rows that are multiplied by one panel after the other while they stay in the second-level cache.
constexpr int64_t kRowBlockBytes = int64_t{192} << 10;
/// The least rows of a block: for fewer rows, reading the whole weight does not pay.
constexpr int64_t kFewestBlockRows = 64;

/// Copies or rounds `count` runs of numbers of a, a stride apart, and fills each up to a multiple of four.
void CopyRuns(const Product& p, int64_t count, int64_t from, int64_t stride, uint8_t* to) {
  const int64_t padded = RoundUp(p.depth, 4);
  if (p.a.type == RuntimeDataType::kTypeFloat32) {
    RoundRowsToBytes(p.a.grid, count, p.depth, static_cast<const float*>(p.a.data) + from, stride, to, padded);
  } else {
    const auto* const bytes = static_cast<const uint8_t*>(p.a.data) + from;
    for (int64_t i = 0; i < count; ++i) std::copy_n(bytes + i * stride, p.depth, to + i * padded);
  }
  if (p.depth == padded) return;
  for (int64_t i = 0; i < count; ++i) std::fill(to + i * padded + p.depth, to + (i + 1) * padded, uint8_t{0});
}

}  // namespace

Int8Kernel::Int8Kernel(const Int8Tiles& tiles, Int8Unit unit)
    : ProductKernel({"int8",
                     kInt8Format,
                     std::make_shared<const Int8Panels>(),
                     {Isa::kBaseline, MatrixUnit::kNone, unit},
                     RuntimeDataType::kTypeUInt8,
                     kWorthThread,
                     kMostInt8Depth}),
      tiles_(tiles) {}

ProductBlocks Int8Kernel::Blocks(const Product& p) const {
  const int64_t row_bytes = std::max<int64_t>(1, 4 * Int8Quads(p.depth, p.segments));
  ProductBlocks blocks{};
  blocks.in_place = p.a.type == RuntimeDataType::kTypeUInt8 && (p.depth >= 4 || p.depth == 0);
  blocks.rows = blocks.in_place ? std::max(kFewestBlockRows, kRowBlockBytes / row_bytes)
                                : std::max<int64_t>(1, kMostInt8Depth / row_bytes);
  blocks.depth = std::max<int64_t>(1, p.depth * p.segments);
  blocks.rows_together = 8;
  return blocks;
}

/// Rows without gaps, each segment filled up to a multiple of four.
LeftRows Int8Kernel::Prepare(const Product& p, const ProductBlock& block, std::byte* scratch) const {
  auto* const bytes = reinterpret_cast<uint8_t*>(scratch);
  const int64_t ld = p.segments * RoundUp(p.depth, 4);
  if (p.segments == 1) {
    CopyRuns(p, block.count, block.first * p.a.ld, p.a.ld, bytes);
  } else {
    for (int64_t r = 0; r < block.count; ++r) {
      CopyRuns(p, p.segments, (block.first + r) * p.a.ld, p.segment_stride, bytes + r * ld);
    }
  }
  return {bytes, ld, 1, 0, ld};
}

const void* Int8Kernel::WeightAt(const Product& p, int64_t panel, int64_t /*k*/) const { return Int8PanelAt(p, panel); }

void Int8Kernel::Prefetch(const Product& p, int64_t panel) const { Int8PanelEpilogue::Prefetch(p, panel); }

void Int8Kernel::MultiplyPanel(const PanelTask& task) const {
  alignas(kCacheLine) int32_t sums[kMostInt8Height * kInt8Columns];
  const Product& p = task.product;
  const auto* const a = static_cast<const uint8_t*>(task.left.data);
  const int64_t rows = task.block.count;
  const int64_t vectors = Int8PanelVectors(p.columns, task.panel);
  const Int8Tiles& tiles = Int8TilesForPanel(tiles_, Int8PanelEnd(p, task.panel), vectors * kInt8Lanes);
  const Int8PanelEpilogue result(p, task.panel, tiles.offset);
  Int8Tile tile{};
  tile.lda = task.left.ld;
  tile.segments = task.left.segments;
  tile.segment_stride = task.left.segment_stride;
  tile.depth = task.left.depth;
  tile.weight = Int8PanelAt(p, task.panel);
  tile.vectors = vectors;
  tile.starts = result.starts();
  tile.sums = sums;
  const int64_t tile_count = DivideUp(rows, tiles.height(tile.vectors, rows));
  tile.next = static_cast<const int8_t*>(task.next);
  tile.next_stride = tile.vectors * kInt8Lanes * 4 / tile_count + 1;
  if (tiles.write_bytes != nullptr && result.GivesPlainBytes(tiles.byte_columns)) {
    tile.rows = rows;
    tile.a = a;
    tiles.write_bytes(tile, result.At(task.block.first));
    return;
  }
  for (int64_t first = 0; first < rows; first += tile.rows) {
    tile.rows = tiles.height(tile.vectors, rows - first);
    tile.a = a + first * tile.lda;
    tiles.sum(tile);
    result.Write(task.block.first + first, tile.rows, sums);
    tile.next += Int8Quads(tile.depth, tile.segments) * tile.next_stride;
  }
}

void Int8Kernel::Begin() const {
  if (tiles_.begin != nullptr) tiles_.begin();
}

void Int8Kernel::End() const {
  if (tiles_.end != nullptr) tiles_.end();
}

const Int8Tiles& Int8TilesOf([[maybe_unused]] Int8Unit unit) {
#if defined(__x86_64__)
  if (unit == Int8Unit::kAmx) return AmxInt8Tiles();
  if (unit == Int8Unit::kAvx512Vnni) return Avx512VnniInt8Tiles();
  if (unit == Int8Unit::kAvxVnni) return AvxVnniInt8Tiles();
  if (unit == Int8Unit::kAvx2) return Avx2Int8Tiles();
#endif
#if defined(__aarch64__)
  if (unit == Int8Unit::kDotProd) return DotProdInt8Tiles();
#endif
  return PortableInt8Tiles();
}

const ProductKernel& Int8KernelOf(Int8Unit unit) {
  const auto kernel = [](Int8Unit of) { return Int8Kernel(Int8TilesOf(of), of); };
  static const Int8Kernel kKernels[] = {kernel(Int8Unit::kPortable),   kernel(Int8Unit::kDotProd),
                                        kernel(Int8Unit::kAvx2),       kernel(Int8Unit::kAvxVnni),
                                        kernel(Int8Unit::kAvx512Vnni), kernel(Int8Unit::kAmx)};
  return kKernels[static_cast<int>(unit)];
}

bool GainsByNarrowPairs(Int8Unit unit) { return Int8TilesOf(unit).narrow != nullptr; }

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16/kernel.hpp"

#include <algorithm>

#include "kernel/product/amx_registers.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/panel_epilogue.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kWorthThread = int64_t{128} << 10;
/// Products of several pieces are added up in blocks of the depth, whose sums have smaller errors. A panel's part of a
/// block stays in the first-level cache while the rows pass.
constexpr int64_t kPiecesBlock = 256;
/// The numbers that stand for copied rows, which are multiplied by one panel after the other.
constexpr int64_t kRowNumbers = int64_t{100} << 10;
constexpr int64_t kRowBytes = kRowNumbers * static_cast<int64_t>(sizeof(uint16_t));
static_assert(kRowBytes + FloatBytes(kPiecesBlock) <= kMostProductScratch);

/// Numbers from one copied row to the next, of `count` numbers each.
constexpr int64_t CopyPitch(int64_t count) {
  constexpr int64_t kConflicts = 1024;  // rows a multiple of this apart share few sets of the first-level cache
  const int64_t pitch = 2 * BFloat16Pairs(count);
  return pitch % kConflicts == 0 && pitch > 0 ? pitch + 2 * kBlockPairs : pitch;
}
static_assert(kRowNumbers >= kAmxRows * CopyPitch(kMostRoundedDepth));

/// Takes numbers of a product's rows as bfloat16 numbers: copied, rounded or split.
struct RowReader {
  const Product& p;
  const BFloat16Tiles& tiles;
  int pieces;
  float* scaled;  ///< kPiecesBlock numbers

  /// Takes `count` numbers of `a` from number `from` on, number `inside` of their segment.
  void Take(int64_t from, int64_t inside, int64_t count, uint16_t* to, int64_t stride) const {
    const float* const factors = p.factors != nullptr ? p.factors + inside : nullptr;
    if (p.a.type == RuntimeDataType::kTypeBFloat16) {
      const auto* const numbers = static_cast<const uint16_t*>(p.a.data) + from;
      factors == nullptr ? void(std::copy_n(numbers, count, to)) : tiles.scale_bfloat16(numbers, factors, count, to);
      return;
    }
    const auto* const numbers = static_cast<const float*>(p.a.data) + from;
    if (pieces > 1) {
      Split(numbers, factors, count, to, stride);
    } else if (factors != nullptr) {
      tiles.scale(numbers, factors, count, to);
    } else {
      tiles.round(numbers, count, to);
    }
  }

 private:
  void Split(const float* numbers, const float* factors, int64_t count, uint16_t* to, int64_t stride) const {
    if (factors == nullptr) return SplitBFloat16(numbers, count, pieces, to, stride);
    for (int64_t done = 0; done < count; done += kPiecesBlock) {
      const int64_t some = std::min(kPiecesBlock, count - done);
      for (int64_t i = 0; i < some; ++i) scaled[i] = numbers[done + i] * factors[done + i];
      SplitBFloat16(scaled, some, pieces, to + done, stride);
    }
  }
};

/// Computes a tile and writes rounded results to `c`. If the unit can't do this at once, results are first written to
/// tile.result.c.
void MultiplyRounded(const BFloat16Tiles& tiles, const BFloat16Tile& tile, const PanelEpilogue& results, uint16_t* c,
                     int64_t ldc) {
  const TileEpilogue& result = tile.result;
  if (tiles.multiply_rounded != nullptr && tile.vectors == kBFloat16Vectors && results.Finished()) {
    tiles.multiply_rounded(tile, c, ldc);
    return;
  }
  tiles.multiply(tile);
  results.Finish(result, tile.rows);
  for (int64_t r = 0; r < tile.rows; ++r) tiles.round(result.c + r * result.ldc, result.columns, c + r * ldc);
}

/// Lets a tile add a residual of bfloat16 numbers, which it finds as float32 numbers in `widened`.
void WidenResidual(const BFloat16Tiles& tiles, const ProductMatrix<const void*>& residual, int64_t row, int64_t column,
                   BFloat16Tile& tile, float* widened) {
  if (residual.data == nullptr) return;
  const auto* numbers = static_cast<const uint16_t*>(residual.data) + row * residual.ld + column;
  for (int64_t r = 0; r < tile.rows; ++r) {
    tiles.widen(numbers + r * residual.ld, tile.result.columns, widened + r * kBFloat16Columns);
  }
  tile.result.residual = widened;
  tile.result.residual_ld = kBFloat16Columns;
}

}  // namespace

BFloat16Kernel::BFloat16Kernel(const BFloat16Tiles& tiles, int pieces, MatrixUnit unit)
    : ProductKernel({BFloat16Format(pieces).name,
                     BFloat16Format(pieces),
                     MakeBFloat16Panels(pieces, tiles.round),
                     {Isa::kBaseline, unit},
                     RuntimeDataType::kTypeFloat32,
                     kWorthThread,
                     kMostProductScratch}),
      tiles_(tiles) {}

bool BFloat16Kernel::Suits(const ProductShape& shape) const {
  constexpr int64_t kLeastColumns = 16;
  constexpr int64_t kLeastDepth = 16;
  constexpr double kWorthwhile = 0.9;  // of float32's time
  const int64_t depth = shape.depth * shape.segments;
  // Tiles of one vector have few products for each number that they read.
  constexpr int64_t kNarrow = 24;
  return shape.columns >= kLeastColumns && depth >= (shape.columns < kNarrow ? 2 * kLeastDepth : kLeastDepth) &&
         Time(shape) < kWorthwhile;
}

double BFloat16Kernel::Time(const ProductShape& shape) const {
  const BFloat16Rate rate = RateOf(units.bfloat16);
  const bool computed =
      units.bfloat16 == MatrixUnit::kAmx || (units.bfloat16 != MatrixUnit::kNone && format.pieces == 1);
  if (!computed) return 1;
  const auto filling = [](int64_t count, int64_t together) {
    return count > 0 ? static_cast<double>(RoundUp(count, together)) / static_cast<double>(count) : 1;
  };
  return rate.product * ProductsOfPieces(format.pieces).count * filling(shape.rows, rate.rows) *
             filling(shape.depth * shape.segments, rate.depth) +
         (rate.rounding + rate.splitting * (format.pieces - 1)) /
             static_cast<double>(std::max<int64_t>(shape.columns, 1));
}

ProductBlocks BFloat16Kernel::Blocks(const Product& p) const {
  const int64_t depth = p.depth * p.segments;
  ProductBlocks blocks{};
  blocks.depth = std::max<int64_t>(1, std::min(depth, format.pieces == 1 ? kMostRoundedDepth : kPiecesBlock));
  const int64_t rows = kRowNumbers / (format.pieces * CopyPitch(blocks.depth));
  blocks.rows = std::min(tiles_.row_block, RoundDown(rows, tiles_.rows_read));
  blocks.rows_together = tiles_.rows_together;
  blocks.rows_read = tiles_.rows_read;
  blocks.in_place = p.a.type == RuntimeDataType::kTypeBFloat16 && p.factors == nullptr && blocks.depth >= depth &&
                    p.depth > 0 && p.depth % tiles_.depth_read == 0;
  return blocks;
}

/// Rows side by side, with zeros up to a whole block of pairs; pieces of the same kind of all rows lie together.
LeftRows BFloat16Kernel::Prepare(const Product& p, const ProductBlock& block, std::byte* scratch) const {
  auto* const numbers = reinterpret_cast<uint16_t*>(scratch);
  const RowReader reader{p, tiles_, format.pieces, reinterpret_cast<float*>(scratch + kRowBytes)};
  const int64_t ld = CopyPitch(block.depth);
  const int64_t used = 2 * BFloat16Pairs(block.depth);
  const int64_t stride = RoundUp(block.count, tiles_.rows_read) * ld;
  const int64_t first_segment = p.segments > 1 ? block.k / p.depth : 0;
  const int64_t first_inside = block.k - first_segment * p.depth;
  for (int64_t r = 0; r < block.count; ++r) {
    uint16_t* const target = numbers + r * ld;
    int64_t segment = first_segment;
    int64_t inside = first_inside;
    for (int64_t done = 0; done < block.depth; ++segment, inside = 0) {
      const int64_t count = std::min(block.depth - done, p.depth - inside);
      const int64_t from = (block.first + r) * p.a.ld + segment * p.segment_stride + inside;
      reader.Take(from, inside, count, target + done, stride);
      done += count;
    }
    for (int i = 0; i < format.pieces; ++i) {
      std::fill_n(target + i * stride + block.depth, used - block.depth, uint16_t{0});
    }
  }
  return {numbers, ld, 1, 0, block.depth, stride};
}

const void* BFloat16Kernel::WeightAt(const Product& p, int64_t panel, int64_t k) const {
  const int64_t width = BFloat16PanelVectors(p.columns, panel) * kBFloat16Lanes;
  return static_cast<const uint16_t*>(p.weight.data) +
         format.pieces * (panel * kBFloat16Columns * 2 * BFloat16Pairs(p.depth * p.segments) + k * width);
}

void BFloat16Kernel::MultiplyPanel(const PanelTask& task) const {
  alignas(kCacheLine) float sums[kMostBFloat16Height * kBFloat16Columns];  // of results that are rounded behind
  alignas(kCacheLine) float residual[kMostBFloat16Height * kBFloat16Columns];
  const Product& p = task.product;
  const auto* const a = static_cast<const uint16_t*>(task.left.data);
  const int64_t rows = task.block.count;
  const int64_t column = task.panel * kBFloat16Columns;
  BFloat16Tile tile{};
  tile.vectors = BFloat16PanelVectors(p.columns, task.panel);
  tile.pairs = DivideUp(task.left.depth, 2);
  tile.pieces = format.pieces;
  tile.lda = task.left.ld;
  tile.a_stride = task.left.piece_stride;
  tile.segments = task.left.segments;
  tile.segment_stride = task.left.segment_stride;
  tile.weight = static_cast<const uint16_t*>(WeightAt(p, task.panel, task.block.k));
  const PanelEpilogue results(task, column, tile.vectors * kBFloat16Lanes);
  const int64_t tiles = DivideUp(rows, tiles_.height(tile.vectors, rows));
  tile.next = static_cast<const uint16_t*>(task.next);
  tile.next_stride = tile.pieces * tile.vectors * kBFloat16Lanes * 2 / tiles + 1;
  // Two or three tiles have to prefetch more than a cache line with each pair. For one tile the CPU's own prefetching
  // is fast enough.
  tile.next_other = tiles > 1 ? tile.next_stride / 2 : 0;
  for (int64_t first = 0; first < rows; first += tile.rows) {
    tile.rows = tiles_.height(tile.vectors, rows - first);
    tile.a = a + first * tile.lda;
    const int64_t row = task.block.first + first;
    const bool rounds = p.c.type == RuntimeDataType::kTypeBFloat16;
    tile.result = rounds ? results.Into(sums, kBFloat16Columns, row) : results.From(row);
    if (task.first_part && p.epilogue.residual.type == RuntimeDataType::kTypeBFloat16) {
      WidenResidual(tiles_, p.epilogue.residual, row, column, tile, residual);
    }
    if (rounds) {
      MultiplyRounded(tiles_, tile, results, static_cast<uint16_t*>(p.c.data) + row * p.c.ld + column, p.c.ld);
    } else {
      tiles_.multiply(tile);
      results.Finish(tile.result, tile.rows);
    }
    tile.next += tile.segments * tile.pairs * tile.next_stride;
  }
}

void BFloat16Kernel::Begin() const {
  if (tiles_.begin != nullptr) tiles_.begin();
}

void BFloat16Kernel::End() const {
  if (tiles_.end != nullptr) tiles_.end();
}

const ProductKernel& BFloat16KernelOf([[maybe_unused]] MatrixUnit unit, int pieces) {
  static const BFloat16Kernel kPortable[] = {{PortableBFloat16Tiles(), 1, MatrixUnit::kNone},
                                             {PortableBFloat16Tiles(), 2, MatrixUnit::kNone},
                                             {PortableBFloat16Tiles(), 3, MatrixUnit::kNone}};
#if defined(__x86_64__)
  static const BFloat16Kernel kAvx512(Avx512BFloat16Tiles(), 1, MatrixUnit::kAvx512BFloat16);
  static const BFloat16Kernel kAmx[] = {{AmxBFloat16Tiles(), 1, MatrixUnit::kAmx},
                                        {AmxBFloat16Tiles(), 2, MatrixUnit::kAmx},
                                        {AmxBFloat16Tiles(), 3, MatrixUnit::kAmx}};
  if (unit == MatrixUnit::kAmx) return kAmx[pieces - 1];
  if (unit == MatrixUnit::kAvx512BFloat16 && pieces == 1) return kAvx512;
#endif
  return kPortable[pieces - 1];
}

const BFloat16Tiles* RoundingTiles([[maybe_unused]] MatrixUnit unit, [[maybe_unused]] int pieces) {
#if defined(__x86_64__)
  if (pieces == 1 && unit == MatrixUnit::kAmx) return &AmxBFloat16Tiles();
  if (pieces == 1 && unit == MatrixUnit::kAvx512BFloat16) return &Avx512BFloat16Tiles();
#endif
  return nullptr;
}

BFloat16Rate RateOf(MatrixUnit unit) {
  switch (unit) {
    case MatrixUnit::kAvx512BFloat16:
      // Zen 4 and Zen 5 execute as many dot products of pairs as float multiply-adds.
      return {0.5, 4, 0, 1, 2};
    case MatrixUnit::kAmx:
      // A product of tiles takes 16 cycles for 16 x 16 x 32 multiply-adds. Two float units do 32 multiply-adds a cycle.
      // Half of that rate is left for loading tiles and storing sums.
      return {0.125, 8, 10, kAmxRows, 2 * kBlockPairs};
    case MatrixUnit::kNone:
      break;
  }
  return {};
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// Up to this depth (of all segments) a row's products are added up in registers, and results may be rounded to
/// bfloat16.
constexpr int64_t kMostRoundedDepth = 6144;

/// Products of rows by a weight of bfloat16 numbers: the rows are rounded to bfloat16, too, unless they are stored so
/// already; products and sums are float. A number may be one bfloat16 number, or the sum of two or three `pieces`
/// (pieces.hpp), which makes the product more exact and the work three or six times as much.
///
/// Blocks of the depth are added in order: of kMostRoundedDepth numbers, or of 256 that have several pieces. Within a
/// block, AVX512_BF16 and the portable code add up number by number, the later one of a pair first, AMX as
/// docs/numerics.md describes it. Results don't depend on the number of threads.
class BFloat16Kernel final : public ProductKernel {
 public:
  /// For the tiles of a unit and numbers of 1 to 3 pieces.
  BFloat16Kernel(const BFloat16Tiles& tiles, int pieces, MatrixUnit unit);

  bool Suits(const ProductShape& shape) const override;
  double Time(const ProductShape& shape) const override;
  bool RoundsToBFloat16() const override { return format.pieces == 1; }
  int64_t MostRoundedDepth() const override { return format.pieces == 1 ? kMostRoundedDepth : 0; }
  ProductBlocks Blocks(const Product& product) const override;
  LeftRows Prepare(const Product& product, const ProductBlock& block, std::byte* scratch) const override;
  const void* WeightAt(const Product& product, int64_t panel, int64_t k) const override;
  void MultiplyPanel(const PanelTask& task) const override;
  void Begin() const override;
  void End() const override;

 private:
  const BFloat16Tiles& tiles_;
};

/// The kernel of a unit. Those of kNone and kAvx512BFloat16 give the same numbers.
const ProductKernel& BFloat16KernelOf(MatrixUnit unit, int pieces);

/// The tiles of a unit that multiplies numbers of `pieces` pieces; null if the unit doesn't, or if there are more than
/// one.
const BFloat16Tiles* RoundingTiles(MatrixUnit unit, int pieces);

/// Makes the panels of bfloat16 weights of `pieces` pieces: 64 columns, in which two numbers that follow each other
/// along the depth lie side by side, as the CPUs' dot products of pairs read them. Along the depth a panel consists of
/// blocks of 32 numbers, piece after piece; zeros fill the last block. All units read the same panels. `round` rounds
/// numbers of one piece.
std::shared_ptr<const WeightPanels> MakeBFloat16Panels(int pieces, decltype(BFloat16Tiles::round) round);

/// How fast a unit computes products of bfloat16 numbers, in multiply-adds of float32 numbers by the same core.
struct BFloat16Rate {
  double product = 1;    ///< a multiply-add of factors of one piece each
  double rounding = 0;   ///< rounding a number of a row to one piece
  double splitting = 0;  ///< splitting a number of a row into each further piece
  int64_t rows = 1;      ///< that a unit multiplies at least at once, whether they are there or not
  int64_t depth = 1;
};
BFloat16Rate RateOf(MatrixUnit unit);

}  // namespace kuiper_infer::kernel

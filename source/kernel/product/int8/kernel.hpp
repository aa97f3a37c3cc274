// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/int8/tile.hpp"
#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The greatest length of rows, each segment filled up to a multiple of four, whose sums fit 32 bits for any numbers.
constexpr int64_t kMostInt8Depth = int64_t{1} << 16;

/// Whether a product of rows of this length can be computed in integers.
constexpr bool SuitsInt8(int64_t depth, int64_t segments = 1) {
  return segments * ((depth + 3) / 4 * 4) <= kMostInt8Depth;
}

/// A convolution with fewer output channels in a group is computed in float: most of each vector would be empty.
constexpr int64_t kLeastInt8Channels = 8;

/// Two numbers of a column whose places in their segment are 2 i and 2 i + 1 are a pair; its size is the magnitude of
/// their sum. If it is at most this number, the products of the pair by any two bytes add up to a number that fits
/// int16, which CPUs without a unit for dot products of bytes compute faster. These pairs are called narrow.
constexpr int32_t kMostNarrowPair = 128;

/// Products of rows of bytes by a weight of 8-bit integers with a scale for each column (PackedFactor::parameters).
/// Arrays are float32, or bytes of their grids. Sums are exact; every unit, and the portable code, gives the same bits,
/// whatever the number of threads.
///
/// With s the exact sum of (a - zero_point) * weight of a column and m = a.grid.scale * scale, y = (float(s) * m +
/// bias) + residual, each operation, product and sum in one, rounded once. Float rows are rounded to a.grid first.
/// Bytes of the result are computed in one of two ways:
/// 1. In general they are activation(y) rounded to c.grid, as RoundToBytes does it.
/// 2. If the residual, if any, has bytes, and the activation only keeps the numbers that c.grid has, the result is
///    computed in steps of c.grid. With i = 1 / c.grid.scale and g = residual.grid.scale * i (0 without a residual), it
///    is nearest(float(s) * (m * i) + (bias * i - residual.grid.zero_point * g) + q * g), ties to even, +
///    c.grid.zero_point, kept within c.grid, where q is the residual's byte. All numbers of steps have to fit 32 bits,
///    whatever s is; a panel in which they might not is computed by way 1.
class Int8Kernel final : public ProductKernel {
 public:
  Int8Kernel(const Int8Tiles& tiles, Int8Unit unit);

  bool Suits(const ProductShape& shape) const override { return SuitsInt8(shape.depth, shape.segments); }
  double Time(const ProductShape& /*shape*/) const override { return 0.25; }
  ProductBlocks Blocks(const Product& product) const override;
  LeftRows Prepare(const Product& product, const ProductBlock& block, std::byte* scratch) const override;
  const void* WeightAt(const Product& product, int64_t panel, int64_t k) const override;
  void Prefetch(const Product& product, int64_t panel) const override;
  void MultiplyPanel(const PanelTask& task) const override;
  void Begin() const override;
  void End() const override;

 private:
  const Int8Tiles& tiles_;
};

const ProductKernel& Int8KernelOf(Int8Unit unit);

/// Whether a unit multiplies narrow pairs faster than pairs of any size.
bool GainsByNarrowPairs(Int8Unit unit);

}  // namespace kuiper_infer::kernel

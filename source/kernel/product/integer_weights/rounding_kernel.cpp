// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/integer_weights/rounding_kernel.cpp"
#include "kernel/product/integer_weights/rounding_kernel.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/integer_weights/dot_tile-inl.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/product/integer_weights/panels-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

constexpr int64_t kWorthThreadOfBytes = int64_t{256} << 10;
/// The most rows of a block, which stay in the second-level cache while the panels pass.
constexpr int64_t kMostRows = 96;

template <class Row, class Unit>
class Kernel final : public ProductKernel {
  using Tiles = DotTiles<typename Row::Unsigned, Unit, false>;
  using HalfTiles = DotTiles<typename Row::Unsigned, Unit, kReadsHalves>;

 public:
  Kernel(const char* name, Int8Unit unit, const ProductKernel& floats)
      : ProductKernel({name, floats, {kTargetIsa, MatrixUnit::kNone, unit}, kWorthThreadOfBytes, kMostProductScratch}) {
  }

  bool Suits(const ProductShape& shape) const override {
    const bool whole_words = shape.groups == 1 || shape.depth / shape.groups % Row::kDepth == 0;
    return shape.depth > 0 && shape.segments == 1 && whole_words &&
           LayoutOf(shape.depth, shape.groups).Bytes(1) <= kMostProductScratch;
  }
  double Time(const ProductShape& /*shape*/) const override { return 0.3; }

  ProductBlocks Blocks(const Product& p) const override {
    const int64_t row_bytes = LayoutOf(p.depth, p.weight.groups).Bytes(1);
    ProductBlocks blocks{};
    blocks.rows = std::clamp<int64_t>(kMostProductScratch / row_bytes, 1, kMostRows);
    blocks.depth = p.depth;
    blocks.rows_together = Unit::kHeight;
    blocks.in_place = false;
    return blocks;
  }

  LeftRows Prepare(const Product& p, const ProductBlock& block, std::byte* scratch) const override {
    auto* const integers = reinterpret_cast<int8_t*>(scratch);
    const RoundedRowLayout layout = LayoutOf(p.depth, p.weight.groups);
    RoundRowsInBlocks(layout, block.count, static_cast<const float*>(p.a.data) + block.first * p.a.ld, p.a.ld,
                      Row::kLeast != 0 ? Row::kLeast : 1, integers);
    return {integers, layout.ld(), 1, 0, p.depth};
  }

  const void* WeightAt(const Product& p, int64_t panel, int64_t /*k*/) const override {
    return static_cast<const uint8_t*>(p.weight.data) + IntegerPanels<Row>::Place(panel * kPanelColumns, p.depth);
  }

  void MultiplyPanel(const PanelTask& task) const override {
    const Product& p = task.product;
    const int64_t vectors = PanelVectors(p.columns, task.panel);
    const PanelEpilogue results(task, task.panel * kPanelColumns, kPanelColumns);
    const RoundedRowLayout layout = LayoutOf(p.depth, p.weight.groups);
    const int64_t count = task.block.count;
    const int64_t tiles = DivideUp(count, Unit::kHeight);
    auto* const integers = reinterpret_cast<int8_t*>(task.scratch);
    DotTile tile{layout,
                 integers,
                 layout.ScalesOf(integers, count),
                 layout.OffsetsOf(integers, count),
                 static_cast<const uint8_t*>(WeightAt(p, task.panel, 0)),
                 {p.weight, task.panel * kPanelColumns * layout.groups * Row::kParameters},
                 Row::kParameters,
                 static_cast<const uint8_t*>(task.next),
                 vectors * kWordBytes / tiles + 1};
    const bool halves = tile.parameters.in_halves() && count <= kMostHalfRows;
    alignas(kCacheLine) float converted[kReadsHalves ? kMostHalves : 1];
    if (tile.parameters.in_halves() && !halves) {
      tile.parameters.Convert(vectors * kLanes * layout.groups * Row::kParameters, converted);
    }
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t row = count * i / tiles;
      const int64_t rows = count * (i + 1) / tiles - row;
      const TileEpilogue result = results.From(task.block.first + row);
      const auto run = halves ? ChooseTile<HalfTiles>(vectors, rows) : ChooseTile<Tiles>(vectors, rows);
      run(tile, result);
      results.Finish(result, rows);
      tile.rows += rows * layout.ld();
      tile.scales += rows * layout.blocks();
      tile.offsets += rows * layout.blocks();
      tile.next += tile.next_stride * DivideUp(p.depth, Row::kDepth);
    }
  }

 private:
  static RoundedRowLayout LayoutOf(int64_t depth, int64_t groups) { return {depth, groups, Unit::kParts}; }
};

template <class ByteUnit, class NibbleUnit = ByteUnit>
std::vector<const ProductKernel*> KernelsOf(Int8Unit unit) {
  static const std::vector<const ProductKernel*> kFloats = IntegerWeightKernels(kTargetIsa);
  static const Kernel<Int8Row, ByteUnit> kInt8("int8 weights, rounded rows", unit, *kFloats[0]);
  static const Kernel<Int8AsymmetricRow, ByteUnit> kInt8Asymmetric("asymmetric int8 weights, rounded rows", unit,
                                                                   *kFloats[1]);
  static const Kernel<Int4Row, NibbleUnit> kInt4("int4 weights, rounded rows", unit, *kFloats[2]);
  static const Kernel<Int4AsymmetricRow, NibbleUnit> kInt4Asymmetric("asymmetric int4 weights, rounded rows", unit,
                                                                     *kFloats[3]);
  return {&kInt8, &kInt8Asymmetric, &kInt4, &kInt4Asymmetric};
}

}  // namespace

std::vector<const ProductKernel*> RoundingKernelsOfTarget([[maybe_unused]] Int8Unit unit) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#if HWY_TARGET == HWY_AVX2
  if (unit == Int8Unit::kAvx2) return KernelsOf<Avx2ByteDots, Avx2NibbleDots>(unit);
#endif
  if (GainsByRounding(kTargetIsa, unit)) return KernelsOf<VnniDots>(unit);
#endif
#if HWY_TARGET == HWY_STATIC_TARGET
  return KernelsOf<PortableDots>(Int8Unit::kPortable);
#else
  return {};
#endif
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RoundingKernelsOfTarget);

std::vector<const ProductKernel*> RoundingKernels(Isa isa, Int8Unit unit) {
  return KUIPER_SIMD_FOR(isa, RoundingKernelsOfTarget)(unit);
}

bool GainsByRounding(Isa isa, Int8Unit unit) {
  if (isa == Isa::kAvx512) return unit == Int8Unit::kAvx512Vnni || unit == Int8Unit::kAmx;
  return isa == Isa::kAvx2 && (unit == Int8Unit::kAvx2 || unit == Int8Unit::kAvxVnni);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/integer_weights/kernel.cpp"
#include "kernel/product/integer_weights/kernel.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/choose_tile.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/integer_weights/panels-inl.hpp"
#include "kernel/product/integer_weights/tile-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// The most rows for which tiles read the integers directly.
constexpr int64_t kFewRows = 24;

template <class Row>
class Kernel final : public ProductKernel {
  using Numbers = NumberWriters<typename Row::Unsigned>;
  using Tiles = IntegerTiles<typename Row::Unsigned>;

 public:
  Kernel(const char* name, const WeightFormat& format, const char* panels)
      : ProductKernel({name,
                       format,
                       std::make_shared<const IntegerPanels<Row>>(panels),
                       {kTargetIsa},
                       RuntimeDataType::kTypeFloat32,
                       kWorthThread,
                       FloatBytes(kDepthBlock * kPanelColumns),
                       true,
                       kHalfGroups<Row>}) {}

  ProductBlocks Blocks(const Product& p) const override { return FloatBlocks(p); }
  LeftRows Prepare(const Product& /*p*/, const ProductBlock& /*block*/, std::byte* /*scratch*/) const override {
    return {};  // all rows are read in place
  }

  const void* WeightAt(const Product& p, int64_t panel, int64_t k) const override {
    return static_cast<const uint8_t*>(p.weight.data) + IntegerPanels<Row>::Place(panel * kPanelColumns, p.depth) +
           k / Row::kDepth * PanelVectors(p.columns, panel) * kWordBytes;
  }

  void MultiplyPanel(const PanelTask& task) const override {
    const Product& p = task.product;
    const int64_t vectors = PanelVectors(p.columns, task.panel);
    const IntegerBlock block{{p.weight, task.panel * kPanelColumns * p.weight.groups * Row::kParameters},
                             static_cast<const uint8_t*>(WeightAt(p, task.panel, task.block.k)),
                             vectors * kWordBytes,
                             0,
                             Row::kParameters,
                             vectors * kLanes,
                             Row::kLeast,
                             p.depth / p.weight.groups,
                             task.block.k,
                             task.block.k + task.block.depth};
    if (task.block.count <= kFewRows) return MultiplyFewRows(task, block, vectors);
    auto* const numbers = reinterpret_cast<float*>(task.scratch);
    ChooseTile<Numbers>(vectors, 1)(block, numbers);
    multiply_floats_(task, numbers, numbers);
  }

 private:
  static void MultiplyFewRows(const PanelTask& task, const IntegerBlock& block, int64_t vectors) {
    // Tall tiles read the rows twice: they pay where they make floats of the integers less often.
    const int64_t count = task.block.count;
    const int64_t width = DivideUp(count, kWideTileHeight) <= DivideUp(count, kTallTileHeight) ? vectors : 2;
    for (int64_t first = 0; first < vectors; first += width) {
      IntegerBlock part = block;
      part.words += first * kWordBytes;
      part.fetched = first == 0 && width < vectors ? width * kWordBytes : 0;
      part.parameters.Skip(first * kLanes);
      MultiplyVectors(task, part, first, std::min(width, vectors - first));
    }
  }

  /// Multiplies the rows by the vectors [first, first + vectors) of the panel.
  static void MultiplyVectors(const PanelTask& task, const IntegerBlock& block, int64_t first, int64_t vectors) {
    const PanelEpilogue results(task, task.panel * kPanelColumns + first * kLanes, vectors * kLanes);
    const int64_t count = task.block.count;
    const int64_t tiles = DivideUp(count, Tiles::Height(vectors));
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t row = count * i / tiles;
      const int64_t rows = count * (i + 1) / tiles - row;
      const float* const a = static_cast<const float*>(task.left.data) + row * task.left.ld;
      const TileEpilogue result = results.From(task.block.first + row);
      ChooseTile<Tiles>(vectors, rows)(block, a, task.left.ld, result);
      results.Finish(result, rows);
    }
  }

  FloatPanelProduct multiply_floats_ = MultiplyFloatPanel(kTargetIsa);
};

}  // namespace

std::vector<const ProductKernel*> KernelsOfIntegers() {
  static const Kernel<Int8Row> kInt8("int8 weights", kInt8GroupFormat, "panels of int8 words");
  static const Kernel<Int8AsymmetricRow> kInt8Asymmetric("asymmetric int8 weights", kInt8AsymmetricFormat,
                                                         "panels of asymmetric int8 words");
  static const Kernel<Int4Row> kInt4("int4 weights", kInt4Format, "panels of int4 words");
  static const Kernel<Int4AsymmetricRow> kInt4Asymmetric("asymmetric int4 weights", kInt4AsymmetricFormat,
                                                         "panels of asymmetric int4 words");
  return {&kInt8, &kInt8Asymmetric, &kInt4, &kInt4Asymmetric};
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(KernelsOfIntegers);

std::vector<const ProductKernel*> IntegerWeightKernels(Isa isa) { return KUIPER_SIMD_FOR(isa, KernelsOfIntegers)(); }

}  // namespace kuiper_infer::kernel
#endif

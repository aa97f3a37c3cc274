// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/float32/kernel.cpp"
#include "kernel/product/float32/kernel.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/float_lanes-inl.hpp"
#include "kernel/product/float32/panel_tiles-inl.hpp"
#include "kernel/product/float32/panels-inl.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {

void MultiplyFloatPanelOfTarget(const PanelTask& task, const float* weight, const float* next) {
  MultiplyPanelTiles(task, weight, next);
}

namespace {

/// The most rows that are multiplied by factors at once, so that they stay in the first-level cache while the panels
/// pass.
constexpr int64_t kScaledRows = 64;

class Kernel final : public ProductKernel {
 public:
  Kernel()
      : ProductKernel({"",
                       kFloat32Format,
                       std::make_shared<const FloatPanels>(),
                       {kTargetIsa},
                       RuntimeDataType::kTypeFloat32,
                       kWorthThread,
                       kScratch}) {}

  int64_t MostRoundedDepth() const override { return kStoresBFloat16 ? kDepthBlock : 0; }

  ProductBlocks Blocks(const Product& p) const override {
    if (p.factors != nullptr && ScalesRows(p)) return {kScaledRows, kDepthBlock, TileHeight(p), false};
    return FloatBlocks(p);
  }

  /// Multiplies the rows by the factors.
  LeftRows Prepare(const Product& p, const ProductBlock& block, std::byte* scratch) const override {
    const Floats d;
    const int64_t whole = RoundDown(block.depth, kLanes);
    const PartialVector part(block.depth - whole);
    auto* const scaled = reinterpret_cast<float*>(scratch);
    const float* const factors = p.factors + block.k;
    for (int64_t row = 0; row < block.count; ++row) {
      const float* from = static_cast<const float*>(p.a.data) + (block.first + row) * p.a.ld + block.k;
      float* to = scaled + row * kDepthBlock;
      for (int64_t i = 0; i < whole; i += kLanes) {
        hn::Store(hn::Mul(hn::LoadU(d, factors + i), hn::LoadU(d, from + i)), d, to + i);
      }
      if (whole < block.depth) part.Store(hn::Mul(part.Load(factors + whole), part.Load(from + whole)), to + whole);
    }
    return {scaled, kDepthBlock, 1, 0, block.depth};
  }

  const void* WeightAt(const Product& p, int64_t panel, int64_t k) const override {
    return static_cast<const float*>(p.weight.data) + panel * kPanelColumns * p.depth * p.segments +
           k * PanelVectors(p.columns, panel) * kLanes;
  }

  void MultiplyPanel(const PanelTask& task) const override {
    const Product& p = task.product;
    const auto* weight = static_cast<const float*>(WeightAt(p, task.panel, task.block.k));
    if (p.factors != nullptr && !ScalesRows(p)) weight = ScaleWeight(task, weight);
    MultiplyFloatPanelOfTarget(task, weight, static_cast<const float*>(task.next));
  }

 private:
  static constexpr int64_t kScratch =
      std::max(FloatBytes(kScaledRows * kDepthBlock), FloatBytes(kDepthBlock* kPanelColumns));

  /// Whether factors multiply the rows. These are scaled once, but each number of the weight for each part of the
  /// product, and it comes from farther away.
  static bool ScalesRows(const Product& p) { return p.rows < 2 * p.columns; }

  /// The part of a panel with its rows multiplied by the factors, once for all tiles.
  static const float* ScaleWeight(const PanelTask& task, const float* weight) {
    const Floats d;
    auto* const scaled = reinterpret_cast<float*>(task.scratch);
    const int64_t width = PanelVectors(task.product.columns, task.panel) * kLanes;
    for (int64_t row = 0; row < task.block.depth; ++row) {
      const FloatVector factor = hn::Set(d, task.product.factors[task.block.k + row]);
      for (int64_t i = row * width; i < (row + 1) * width; i += kLanes) {
        hn::Store(hn::Mul(factor, hn::LoadU(d, weight + i)), d, scaled + i);
      }
    }
    return scaled;
  }
};

}  // namespace

const ProductKernel& Float32KernelOfTarget() {
  static const Kernel kKernel;
  return kKernel;
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(Float32KernelOfTarget);
KUIPER_SIMD_TABLE(MultiplyFloatPanelOfTarget);

const ProductKernel& Float32Kernel(Isa isa) { return KUIPER_SIMD_FOR(isa, Float32KernelOfTarget)(); }

FloatPanelProduct MultiplyFloatPanel(Isa isa) { return KUIPER_SIMD_FOR(isa, MultiplyFloatPanelOfTarget); }

const WeightPanels& Float32Panels(Isa isa) { return Float32Kernel(isa).panels; }

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/winograd/weight.cpp"
#include "kernel/convolution/winograd/weight.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/winograd/points.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/float32/panels-inl.hpp"
#include "utils/rounding.hpp"
#include "utils/simd.hpp"

// The transforms' matrices; the file is read once for each instruction set.
#ifndef KUIPER_KERNEL_WINOGRAD_WEIGHT_ROWS
#define KUIPER_KERNEL_WINOGRAD_WEIGHT_ROWS
namespace kuiper_infer::kernel {
namespace {

/// A row of G.
using WeightRow = double[3];
constexpr WeightRow kWeights2[] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
constexpr double kA = kWinogradInner;
constexpr double kB = kWinogradOuter;
constexpr double kA2 = kA * kA;
constexpr double kB2 = kB * kB;
constexpr double kAtA = 2 * kA2 * (kA2 - kB2);
constexpr double kAtB = 2 * kB2 * (kB2 - kA2);
constexpr WeightRow kWeights4[] = {
    {1 / (kA2 * kB2), 0, 0},           {1 / kAtA, kA / kAtA, kA2 / kAtA},  {1 / kAtA, -kA / kAtA, kA2 / kAtA},
    {1 / kAtB, kB / kAtB, kB2 / kAtB}, {1 / kAtB, -kB / kAtB, kB2 / kAtB}, {0, 0, 1}};
constexpr WeightRow kWeights6[] = {{1, 0, 0},
                                   {-2.0 / 9, -2.0 / 9, -2.0 / 9},
                                   {-2.0 / 9, 2.0 / 9, -2.0 / 9},
                                   {1.0 / 90, 1.0 / 45, 2.0 / 45},
                                   {1.0 / 90, -1.0 / 45, 2.0 / 45},
                                   {1.0 / 45, 1.0 / 90, 1.0 / 180},
                                   {1.0 / 45, -1.0 / 90, 1.0 / 180},
                                   {0, 0, 1}};

}  // namespace
}  // namespace kuiper_infer::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Transforms the windows of one input for `width` outputs side by side: g[3 * y + x] has each output's number, and
/// plane i of the result lies at target + i * plane.
template <int kSize>
void TransformWindows(const WeightRow* rows, const double (&g)[9][kPanelColumns], int64_t width, float* target,
                      int64_t plane) {
  double half[3][kPanelColumns];  // a row of G g
  for (int a = 0; a < kSize; ++a) {
    for (int x = 0; x < 3; ++x) {
      for (int64_t j = 0; j < width; ++j) {
        half[x][j] = rows[a][0] * g[x][j] + rows[a][1] * g[3 + x][j] + rows[a][2] * g[6 + x][j];
      }
    }
    for (int b = 0; b < kSize; ++b) {
      float* const to = target + (a * kSize + b) * plane;
      for (int64_t j = 0; j < width; ++j) {
        to[j] = static_cast<float>(rows[b][0] * half[0][j] + rows[b][1] * half[1][j] + rows[b][2] * half[2][j]);
      }
    }
  }
}

template <int m>
constexpr const WeightRow* kRows = m == 2   ? kWeights2
                                   : m == 4 ? kWeights4
                                            : kWeights6;

template <int m>
class Layout final : public PackedLayout {
 public:
  Layout(const char* name, const ProductKernel& product)
      : PackedLayout(name, product.format), panels_(product.panels) {}

  int64_t Bytes(const WeightShape& shape) const override {
    return int64_t{kSize} * kSize * panels_.Bytes(shape.outputs, shape.inputs);
  }

  int64_t RowsTogether(const WeightShape& /*shape*/) const override { return panels_.Columns(); }

  void Pack(const WeightShape& shape, const WeightRows& part, const float* windows, void* packed) const override {
    const int64_t plane_bytes = panels_.Bytes(shape.outputs, shape.inputs);
    const int64_t columns = panels_.Columns();
    const int64_t scratch_plane = kInputs * columns;
    std::vector<float> scratch(static_cast<std::size_t>(kSize * kSize * scratch_plane));
    for (int64_t row = 0; row < part.count; row += columns) {
      WeightRowsPart rows{std::min(columns, part.count - row), shape.inputs};
      rows.ld = rows.columns;
      auto* const target = static_cast<std::byte*>(packed) + panels_.Bytes(part.first + row, shape.inputs);
      for (rows.first = 0; rows.first < shape.inputs; rows.first += kInputs) {
        rows.count = std::min(kInputs, shape.inputs - rows.first);
        Transform(shape, rows, windows + row * shape.depth(), scratch.data(), scratch_plane);
        for (int64_t i = 0; i < kSize * kSize; ++i) {
          rows.numbers = scratch.data() + i * scratch_plane;
          panels_.PackRows(rows, target + i * plane_bytes);
        }
      }
    }
  }

 private:
  static constexpr int64_t kSize = m + 2;
  /// Inputs whose transformed windows are in scratch memory at a time, for all planes and a panel of outputs.
  static constexpr int64_t kInputs = 16;

  /// Writes the transformed windows of some inputs and a panel of outputs, whose first window is `windows`: plane i is
  /// a matrix (rows.count, rows.columns) at target + i * plane.
  static void Transform(const WeightShape& shape, const WeightRowsPart& rows, const float* windows, float* target,
                        int64_t plane) {
    double g[9][kPanelColumns] = {};
    for (int64_t first = 0; first < rows.columns; first += kPanelColumns) {
      const int64_t width = std::min(kPanelColumns, rows.columns - first);
      for (int64_t i = 0; i < rows.count; ++i) {
        for (int64_t j = 0; j < width; ++j) {
          const float* window = windows + ((first + j) * shape.inputs + rows.first + i) * 9;
          for (int t = 0; t < 9; ++t) g[t][j] = static_cast<double>(window[t]);
        }
        TransformWindows<kSize>(kRows<m>, g, width, target + i * rows.ld + first, plane);
      }
    }
  }

  const WeightPanels& panels_;
};

template <int m>
const PackedLayout& LayoutOf() {
  static const Layout<m> kLayout(m == 2 ? "winograd2" : m == 4 ? "winograd4" : "winograd6", Float32Kernel(kTargetIsa));
  return kLayout;
}

/// The layout for a kernel of bfloat16 numbers of one piece.
const PackedLayout& RoundedLayoutOf(MatrixUnit unit) {
  using Rounded = Layout<2>;
  static const std::array<Rounded, 3> kLayouts{
      Rounded("winograd2, bfloat16", BFloat16KernelOf(MatrixUnit::kNone, 1)),
      Rounded("winograd2, bfloat16", BFloat16KernelOf(MatrixUnit::kAvx512BFloat16, 1)),
      Rounded("winograd2, bfloat16", BFloat16KernelOf(MatrixUnit::kAmx, 1))};
  return kLayouts[static_cast<std::size_t>(unit)];
}

}  // namespace

const PackedLayout& WinogradLayoutOfTarget(int m, const ProductKernel& product) {
  if (&product.format != &kFloat32Format) return RoundedLayoutOf(product.units.bfloat16);
  if (m == 2) return LayoutOf<2>();
  return m == 4 ? LayoutOf<4>() : LayoutOf<6>();
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(WinogradLayoutOfTarget);

template <int m>
const PackedLayout& LayoutWinograd(const ProductKernel& product) {
  return KUIPER_SIMD_FOR(product.units.isa, WinogradLayoutOfTarget)(m, product);
}

template const PackedLayout& LayoutWinograd<2>(const ProductKernel&);
template const PackedLayout& LayoutWinograd<4>(const ProductKernel&);
template const PackedLayout& LayoutWinograd<6>(const ProductKernel&);

}  // namespace kuiper_infer::kernel
#endif

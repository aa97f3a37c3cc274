// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/winograd/weight.cpp"
#include "kernel/convolution/winograd/weight.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/winograd/points.hpp"
#include "kernel/product/weight_product.hpp"
#include "kernel/product/weight_tile-inl.hpp"
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

template <int kSize>
void PackTransformedBy(const WeightRow* rows, const WeightShape& shape, const WeightRows& part, const float* windows,
                       float* packed) {
  const int64_t plane = PackedWeightSize(shape.outputs, shape.inputs);
  double g[9][kPanelColumns] = {};
  for (int64_t row = 0; row < part.count; row += kPanelColumns) {
    const int64_t inside = std::min(kPanelColumns, part.count - row);
    const int64_t width = RoundUp(inside, kLanes);
    float* target = packed + (part.first + row) * shape.inputs;
    for (int64_t i = 0; i < shape.inputs; ++i, target += width) {
      for (int64_t j = 0; j < inside; ++j) {
        const float* window = windows + ((row + j) * shape.inputs + i) * 9;
        for (int t = 0; t < 9; ++t) g[t][j] = static_cast<double>(window[t]);
      }
      for (int64_t j = inside; j < width; ++j) {
        for (auto& numbers : g) numbers[j] = 0;
      }
      TransformWindows<kSize>(rows, g, width, target, plane);
    }
  }
}

}  // namespace

void PackTransformed(int m, const WeightShape& shape, const WeightRows& part, const float* windows, float* packed) {
  if (m == 2) PackTransformedBy<4>(kWeights2, shape, part, windows, packed);
  if (m == 4) PackTransformedBy<6>(kWeights4, shape, part, windows, packed);
  if (m == 6) PackTransformedBy<8>(kWeights6, shape, part, windows, packed);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {
namespace {

KUIPER_SIMD_TABLE(PackTransformed);

template <int m>
int64_t Bytes(const WeightShape& shape) {
  return FloatBytes(int64_t{m + 2} * (m + 2) * PackedWeightSize(shape.outputs, shape.inputs));
}

template <int m>
void Pack(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed) {
  KUIPER_SIMD(PackTransformed)(m, shape, rows, part, static_cast<float*>(packed));
}

template <int m>
constexpr const char* kName = m == 2   ? "winograd2"
                              : m == 4 ? "winograd4"
                                       : "winograd6";

template <int m>
const WeightOrder kOrder{kName<m>, Bytes<m>, OutputRows, PanelRows, Pack<m>};

}  // namespace

const WeightOrder& WinogradWeightOrder(int m) {
  if (m == 2) return kOrder<2>;
  return m == 4 ? kOrder<4> : kOrder<6>;
}

}  // namespace kuiper_infer::kernel
#endif

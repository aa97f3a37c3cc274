// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int8/computed_rows.cpp"
#include <algorithm>
#include <cstring>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int8/computed_factor.hpp"
#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Writes a row's integers + `offset`, of which `bytes` has room for whole vectors; returns their sum without offsets.
int32_t RoundRow(const Steps& steps, int32_t offset, int64_t count, const float* row, uint8_t* bytes) {
  const FloatVector inverse = hn::Set(Floats(), steps.inverse);
  WordVector sum = hn::Zero(Words());
  ForEachPart(count, [&](int64_t i, const auto& part) HWY_ATTR {
    const WordVector words = Rounded(part.Load(row + i), inverse);
    sum = hn::Add(sum, words);
    hn::StoreU(LowBytes(hn::Add(words, hn::Set(Words(), offset))), Bytes(), bytes + i);
  });
  return hn::GetLane(hn::SumOfLanes(Words(), sum));
}

}  // namespace

void RoundRows(int64_t rows, int64_t depth, const float* x, int64_t ld, uint8_t* bytes, float* scales) {
  const int64_t whole = depth / kLanes * kLanes;
  for (int64_t row = 0; row < rows; ++row, x += ld, bytes += depth) {
    const Steps steps = StepsOf(depth, x);
    scales[row] = steps.scale;
    RoundRow(steps, kComputedRowGrid.zero_point, whole, x, bytes);
    if (whole == depth) continue;
    uint8_t rest[kLanes];
    RoundRow(steps, kComputedRowGrid.zero_point, depth - whole, x + whole, rest);
    std::copy_n(rest, depth - whole, bytes + whole);
  }
}

void PackTransposed(int64_t columns, int64_t depth, const float* transposed, int64_t ld, void* packed, float* scales) {
  constexpr int64_t kChunk = 256;  // of a column, between its row and the panel
  for (int64_t first = 0; first < columns; first += kInt8Columns) {
    const int64_t width = Int8PanelVectors(columns, first / kInt8Columns) * kInt8Lanes;
    auto* const panel = static_cast<int8_t*>(packed) + first * Int8ColumnBytes(depth, 1);
    const int64_t bytes = width * 4 * Int8Quads(depth, 1);
    int32_t sums[kInt8Columns] = {};
    const int64_t inside = std::min(width, columns - first);
    if (inside < width) std::fill_n(panel, bytes, int8_t{0});
    for (int64_t j = 0; j < inside; ++j) {
      const float* const column = transposed + (first + j) * ld;
      const Steps steps = StepsOf(depth, column);
      scales[first + j] = steps.scale;
      for (int64_t k = 0; k < depth; k += kChunk) {
        uint8_t chunk[kChunk + kInt8Lanes];
        const int64_t count = std::min(kChunk, depth - k);
        sums[j] += RoundRow(steps, 0, count, column + k, chunk);
        std::fill_n(chunk + count, (4 - count % 4) % 4, uint8_t{0});
        for (int64_t i = 0; i < count; i += 4) std::memcpy(panel + (k + i) * width + 4 * j, chunk + i, 4);
      }
    }
    EndPanel(width, sums, panel + bytes);
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RoundRows);
KUIPER_SIMD_TABLE(PackTransposed);

void RoundComputedRows(int64_t rows, int64_t depth, const float* x, int64_t ld, uint8_t* bytes, float* scales) {
  KUIPER_SIMD(RoundRows)(rows, depth, x, ld, bytes, scales);
}

void PackInt8TransposedFactor(int64_t columns, int64_t depth, const float* transposed, int64_t ld, void* packed,
                              float* scales) {
  KUIPER_SIMD(PackTransposed)(columns, depth, transposed, ld, packed, scales);
}

}  // namespace kuiper_infer::kernel
#endif

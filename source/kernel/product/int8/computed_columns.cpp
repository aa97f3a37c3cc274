// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int8/computed_columns.cpp"
#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int8/computed_factor.hpp"
#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Packs up to kLanes columns of the right factor, `part` of a vector, at their place in a panel of `width` columns.
template <class Part>
HWY_INLINE void PackVector(int64_t width, int64_t depth, const float* rows, int64_t ld, const Part& part, int8_t* to,
                           int32_t* sums, float* scales) {
  WordVector most = hn::Zero(Words());
  for (int64_t k = 0; k < depth; ++k) most = hn::Max(most, Magnitude(part.Load(rows + k * ld)));
  HWY_ALIGN float largest[kLanes];
  HWY_ALIGN float inverses[kLanes];
  hn::Store(hn::BitCast(Floats(), most), Floats(), largest);
  for (int64_t j = 0; j < kLanes; ++j) {
    const Steps steps(largest[j]);
    inverses[j] = steps.inverse;
    largest[j] = steps.scale;
  }
  part.Store(hn::Load(Floats(), largest), scales);
  const FloatVector inverse = hn::Load(Floats(), inverses);
  const WordVector low = hn::Set(Words(), 255);
  WordVector sum = hn::Zero(Words());
  for (int64_t k = 0; k < depth; k += 4) {
    WordVector quads = hn::Zero(Words());
    for (int64_t i = std::min<int64_t>(4, depth - k) - 1; i >= 0; --i) {
      const WordVector words = Rounded(part.Load(rows + (k + i) * ld), inverse);
      sum = hn::Add(sum, words);
      quads = hn::Or(hn::ShiftLeft<8>(quads), hn::And(words, low));
    }
    hn::StoreU(quads, Words(), reinterpret_cast<int32_t*>(to + k * width));
  }
  hn::StoreU(sum, Words(), sums);
}

}  // namespace

void PackColumns(int64_t columns, int64_t depth, const float* rows, int64_t ld, void* packed, float* scales) {
  for (int64_t first = 0; first < columns; first += kInt8Columns) {
    const int64_t width = Int8PanelVectors(columns, first / kInt8Columns) * kInt8Lanes;
    auto* const panel = static_cast<int8_t*>(packed) + first * Int8ColumnBytes(depth, 1);
    int32_t sums[kInt8Columns] = {};
    const auto pack = [&](int64_t j, const auto& part) HWY_ATTR {
      PackVector(width, depth, rows + first + j, ld, part, panel + 4 * j, sums + j, scales + first + j);
    };
    const int64_t inside = std::min(width, columns - first);
    ForEachPart(inside, pack);
    for (int64_t quad = 0; inside < width && quad < Int8Quads(depth, 1); ++quad) {
      std::fill(panel + (quad * width + inside) * 4, panel + (quad + 1) * width * 4, int8_t{0});
    }
    EndPanel(width, sums, panel + width * 4 * Int8Quads(depth, 1));
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(PackColumns);

void PackInt8Factor(int64_t columns, int64_t depth, const float* rows, int64_t ld, void* packed, float* scales) {
  KUIPER_SIMD(PackColumns)(columns, depth, rows, ld, packed, scales);
}

}  // namespace kuiper_infer::kernel
#endif

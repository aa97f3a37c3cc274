// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/bfloat16/pieces.cpp"
#include "kernel/product/bfloat16/pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/bfloat16/tile.hpp"
#include "utils/half.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Words = hn::RebindToUnsigned<Floats>;
using FloatVector = hn::Vec<Floats>;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));  // divides a tile's vector

/// A bfloat16 number as a float: x rounded to nearest, ties to even, but not to infinity.
HWY_INLINE FloatVector RoundedPiece(const FloatVector x) {
  const Floats floats;
  const Words words;
  const auto sign = hn::Set(words, 0x80000000U);
  const auto upper = hn::Set(words, 0xFFFF0000U);
  const auto infinite = hn::Set(words, 0x7F800000U);
  const auto bits = hn::BitCast(words, x);
  const auto size = hn::AndNot(sign, bits);
  const auto odd = hn::And(hn::ShiftRight<16>(size), hn::Set(words, 1));
  const auto nearest = hn::And(hn::Add(hn::Add(size, hn::Set(words, 0x7FFFU)), odd), upper);
  const auto finite = hn::Min(nearest, hn::Set(words, 0x7F7F0000U));
  // NaN keeps its upper bits, of which one says that it raises no exception.
  const auto quiet = hn::IfThenElseZero(hn::Gt(size, infinite), hn::Set(words, 0x00400000U));
  const auto rounded = hn::IfThenElse(hn::Lt(size, infinite), finite, hn::And(hn::Or(size, quiet), upper));
  const auto normal = hn::IfThenZeroElse(hn::Lt(size, hn::Set(words, 0x00800000U)), rounded);
  return hn::BitCast(floats, hn::Or(normal, hn::And(bits, sign)));
}

/// A number put together from its pieces, which are `stride` apart, of which the first may be infinite or NaN.
float WholeNumber(const uint16_t* pieces, int count, int64_t stride) {
  float sum = 0;
  for (int i = count - 1; i >= 0; --i) {
    BFloat16 piece;
    piece.bits = pieces[i * stride];
    sum += piece;
  }
  return sum;
}

/// Computes the sums of a row, in a tile's columns from `column` on, number by number.
void SumRow(const BFloat16Tile& t, int64_t row, int64_t column, int64_t columns, float* sums) {
  const Floats floats;
  const Words words;
  const int64_t width = t.vectors * kBFloat16Lanes;
  const int64_t block = kBlockPairs * width * 2;  // numbers of one piece
  const auto number = [&](int64_t k) { return WholeNumber(t.a + row * t.lda + k, t.pieces, t.a_stride); };
  HWY_ALIGN uint32_t pairs[kLanes];
  float nan = 0;
  for (int64_t k = 0; k < 2 * t.pairs; ++k) nan = std::isnan(number(k)) ? number(k) : nan;
  std::fill_n(sums, columns, nan);
  if (std::isnan(nan)) return;  // whatever the other numbers are
  for (int64_t k = 0; k < 2 * t.pairs; ++k) {
    const FloatVector x = hn::Set(floats, number(k));
    const int64_t pair = k / 2;
    const uint16_t* weight =
        t.weight + pair / kBlockPairs * t.pieces * block + (pair % kBlockPairs * width + column) * 2;
    for (int64_t j = 0; j < columns; j += kLanes) {
      FloatVector whole = hn::Zero(floats);
      for (int piece = t.pieces - 1; piece >= 0; --piece) {
        std::memcpy(pairs, weight + piece * block + 2 * j, sizeof(pairs));
        const auto both = hn::Load(words, pairs);
        const auto bits = k % 2 == 0 ? hn::ShiftLeft<16>(both) : hn::And(both, hn::Set(words, 0xFFFF0000U));
        whole = hn::Add(whole, hn::BitCast(floats, bits));
      }
      hn::StoreU(hn::MulAdd(x, whole, hn::LoadU(floats, sums + j)), floats, sums + j);
    }
  }
}

}  // namespace

void ReplaceNotFinite(const BFloat16Tile& tile, int64_t rows, int64_t vector, int64_t vectors, float* sums) {
  const Floats floats;
  const int64_t columns = vectors * kBFloat16Lanes;
  std::array<float, kBFloat16Columns> whole;
  for (int64_t r = 0; r < rows; ++r) {
    float* const row = sums + r * columns;
    FloatVector differences = hn::Zero(floats);  // of each sum with itself: NaN if the sum is not finite
    for (int64_t j = 0; j < columns; j += kLanes) {
      const FloatVector sum = hn::LoadU(floats, row + j);
      differences = hn::Add(differences, hn::Sub(sum, sum));
    }
    if (hn::AllTrue(floats, hn::Eq(differences, hn::Zero(floats)))) continue;
    SumRow(tile, r, vector * kBFloat16Lanes, columns, whole.data());
    for (int64_t j = 0; j < columns; ++j) row[j] = std::isfinite(row[j]) ? row[j] : whole[j];
  }
}

void SplitBFloat16(const float* from, int64_t count, int pieces, uint16_t* to, int64_t stride) {
  const Floats floats;
  const Words words;
  const hn::Rebind<int32_t, Floats> integers;
  const hn::Rebind<uint16_t, Floats> halves;
  HWY_ALIGN float last[kLanes] = {};
  HWY_ALIGN uint16_t lanes[kLanes];
  for (int64_t i = 0; i < count; i += kLanes) {
    const int64_t inside = std::min(kLanes, count - i);
    if (inside < kLanes) std::copy_n(from + i, inside, last);
    FloatVector rest = hn::LoadU(floats, inside < kLanes ? last : from + i);
    const auto finite = hn::Lt(hn::Abs(rest), hn::Set(floats, std::numeric_limits<float>::infinity()));
    for (int piece = 0; piece < pieces; ++piece) {
      const FloatVector rounded = RoundedPiece(rest);
      rest = hn::IfThenElseZero(finite, hn::Sub(rest, rounded));
      const auto upper = hn::BitCast(integers, hn::ShiftRight<16>(hn::BitCast(words, rounded)));
      uint16_t* const target = to + piece * stride + i;
      hn::StoreU(hn::DemoteTo(halves, upper), halves, inside < kLanes ? lanes : target);
      if (inside < kLanes) std::copy_n(lanes, inside, target);
    }
  }
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(SplitBFloat16);
KUIPER_SIMD_TABLE(ReplaceNotFinite);

void SplitBFloat16(const float* from, int64_t count, int pieces, uint16_t* to, int64_t stride) {
  KUIPER_SIMD(SplitBFloat16)(from, count, pieces, to, stride);
}

void ReplaceNotFinite(const BFloat16Tile& tile, int64_t rows, int64_t vector, int64_t vectors, float* sums) {
  KUIPER_SIMD(ReplaceNotFinite)(tile, rows, vector, vectors, sums);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/channelwise/row_quads.cpp"
#include "kernel/convolution/channelwise/row_quads.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/partial_vector-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<uint8_t>;
using Block = hn::FixedTag<uint8_t, 16>;  // the channels that are interleaved together
using Vector = hn::Vec<Bytes>;
constexpr int64_t kBlock = 16;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Bytes()));
constexpr int kVectors = 4 * kBlock / kLanes;  // of a block's quads

/// The places in a block of a vector's numbers that come from row `row`; zeros elsewhere.
HWY_INLINE Vector PlacesOf(int row, int vector) {
  constexpr uint8_t kNowhere = 0x80;
  HWY_ALIGN uint8_t places[kLanes];
  for (int64_t i = 0; i < kLanes; ++i) {
    places[i] = i % 4 == row ? static_cast<uint8_t>((vector * kLanes + i) / 4) : kNowhere;
  }
  return hn::Load(Bytes(), places);
}

/// A block in every part of a vector; only the first channels of a partial one are read.
template <bool kPartial>
HWY_INLINE Vector LoadBlock(const uint8_t* from, const PartialLanes<Block>& part) {
  if constexpr (!kPartial) return hn::LoadDup128(Bytes(), from);
  HWY_ALIGN uint8_t block[kBlock];
  hn::Store(part.Load(from), Block(), block);
  return hn::LoadDup128(Bytes(), block);
}

template <int kRows, bool kPartial>
HWY_INLINE void InterleaveBlock(const RowQuads& p, int64_t channel) {
  Vector places[kRows][kVectors];
  const uint8_t* from[kRows];
  int64_t stride[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) places[r][v] = PlacesOf(r, v);
    from[r] = p.rows[r].pixels + channel;
    stride[r] = p.rows[r].stride;
  }
  const int64_t pixels = p.pixels;
  const int64_t pitch = p.width * 4;
  const PartialLanes<Block> part(p.channels - channel);
  uint8_t* to = p.quads + channel * 4;
  for (int64_t i = 0; i < pixels; ++i, to += pitch) {
    Vector quads[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) quads[v] = hn::Zero(Bytes());
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const Vector block = LoadBlock<kPartial>(from[r], part);
      from[r] += stride[r];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) quads[v] = hn::Or(quads[v], hn::TableLookupBytesOr0(block, places[r][v]));
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::StoreU(quads[v], Bytes(), to + v * kLanes);
  }
}

template <int kRows>
void Interleave(const RowQuads& p) {
  int64_t channel = 0;
  for (; channel + kBlock <= p.channels; channel += kBlock) InterleaveBlock<kRows, false>(p, channel);
  if (channel < p.channels) InterleaveBlock<kRows, true>(p, channel);
}

#else

template <int kRows>
void Interleave(const RowQuads& p) {
  for (int64_t i = 0; i < p.pixels; ++i) {
    uint8_t* const to = p.quads + i * p.width * 4;
    std::fill_n(to, p.width * 4, uint8_t{0});
    for (int r = 0; r < kRows; ++r) {
      const uint8_t* const from = p.rows[r].pixels + i * p.rows[r].stride;
      for (int64_t channel = 0; channel < p.channels; ++channel) to[channel * 4 + r] = from[channel];
    }
  }
}

#endif

}  // namespace

void InterleaveRowsOf(const RowQuads& rows) {
  if (rows.row_count == 1) return Interleave<1>(rows);
  if (rows.row_count == 2) return Interleave<2>(rows);
  if (rows.row_count == 3) return Interleave<3>(rows);
  Interleave<4>(rows);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(InterleaveRowsOf);

void InterleaveRows(const RowQuads& rows) { KUIPER_SIMD(InterleaveRowsOf)(rows); }

}  // namespace kuiper_infer::kernel
#endif

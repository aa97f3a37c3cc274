// SPDX-License-Identifier: MIT
#include <cstring>

#define KUIPER_INT8_TARGET
#include "kernel/convolution/channelwise/int8_channel_tile-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Plain loops, of which the compiler makes vector code.
struct Loops {
  static constexpr int64_t kLanes = kInt8Lanes;
  struct Vector {
    int32_t lanes[kLanes];
  };
  using Quads = const uint8_t*;
  using Weight = const int8_t*;

  static Vector LoadSums(const int32_t* from) {
    Vector sums;
    std::memcpy(sums.lanes, from, sizeof(sums.lanes));
    return sums;
  }
  static void StoreSums(const Vector& sums, int32_t* to) { std::memcpy(to, sums.lanes, sizeof(sums.lanes)); }
  static Weight LoadWeight(const int8_t* from) { return from; }
  static Quads LoadQuads(const uint8_t* from) { return from; }
  static Vector AddDot(const Vector& sums, Quads quads, Weight weight) {
    Vector added;
    for (int64_t j = 0; j < kLanes; ++j) {
      int32_t sum = 0;
      for (int64_t i = 4 * j; i < 4 * j + 4; ++i) sum += quads[i] * weight[i];
      added.lanes[j] = static_cast<int32_t>(static_cast<uint32_t>(sums.lanes[j]) + static_cast<uint32_t>(sum));
    }
    return added;
  }
};

}  // namespace

const Int8ChannelTiles& Int8ChannelTilesOf([[maybe_unused]] Int8Unit unit) {
#if defined(__x86_64__)
  if (unit == Int8Unit::kAmx || unit == Int8Unit::kAvx512Vnni) return Avx512VnniInt8ChannelTiles();
  if (unit == Int8Unit::kAvxVnni) return AvxVnniInt8ChannelTiles();
  if (unit == Int8Unit::kAvx2) return Avx2Int8ChannelTiles();
#endif
#if defined(__aarch64__)
  if (unit == Int8Unit::kDotProd) return DotProdInt8ChannelTiles();
#endif
  static constexpr Int8ChannelTiles kPortable{SumChannels<Loops, 1>};
  return kPortable;
}

}  // namespace kuiper_infer::kernel

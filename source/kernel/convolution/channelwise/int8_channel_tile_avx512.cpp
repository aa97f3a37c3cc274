// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#include "kernel/convolution/channelwise/int8_channel_tile-inl.hpp"
#include "kernel/product/int8/byte_writer_avx512-inl.hpp"
#include "kernel/product/int8/unit_avx512-inl.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Writes the bytes of a depthwise tile's windows, vector by vector, which are counted in steps, without a residual.
class ChannelBytes {
 public:
  explicit ChannelBytes(const Int8TileEpilogue& result)
      : c_(result.c_bytes),
        ldc_(result.ldc),
        zero_point_(result.c_grid.zero_point),
        least_(result.c_grid.least - result.c_grid.zero_point),
        most_(result.c_grid.most - result.c_grid.zero_point),
        steps_(result) {}

  KUIPER_AVX512_BYTES inline void Take(__m512i sums, int64_t window, int64_t column) const {
    const __m512i above = _mm512_max_epi32(_mm512_cvtps_epi32(steps_.Steps(sums, column)), _mm512_set1_epi32(least_));
    const __m512i steps = _mm512_min_epi32(above, _mm512_set1_epi32(most_));
    const __m512i q = _mm512_add_epi32(steps, _mm512_set1_epi32(zero_point_));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(c_ + window * ldc_ + column), _mm512_cvtepi32_epi8(q));
  }

 private:
  uint8_t* c_;
  int64_t ldc_;
  int32_t zero_point_;
  int32_t least_;
  int32_t most_;
  StepsOfSums steps_;
};

}  // namespace

const Int8ChannelTiles& Avx512VnniInt8ChannelTiles() {
  static constexpr Int8ChannelTiles kTiles{SumChannels<Avx512Vnni, 8>, WriteChannels<Avx512Vnni, 8, ChannelBytes>};
  return kTiles;
}

}  // namespace kuiper_infer::kernel
#endif

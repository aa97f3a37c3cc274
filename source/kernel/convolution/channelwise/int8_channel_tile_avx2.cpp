// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma")))
#include "kernel/convolution/channelwise/int8_channel_tile-inl.hpp"
#include "kernel/product/int8/byte_writer_256-inl.hpp"
#include "kernel/product/int8/unit_256-inl.hpp"

namespace kuiper_infer::kernel {

const Int8ChannelTiles& Avx2Int8ChannelTiles() {
  static constexpr Int8ChannelTiles kNarrow{SumChannels<NarrowAvx2, 4>, WriteChannels<NarrowAvx2, 4, ByteWriter>};
  static constexpr Int8ChannelTiles kTiles{SumChannels<Avx2, 4>, WriteChannels<Avx2, 4, ByteWriter>, 0, &kNarrow};
  return kTiles;
}

}  // namespace kuiper_infer::kernel
#endif

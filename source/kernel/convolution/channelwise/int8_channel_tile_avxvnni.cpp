// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#define KUIPER_INT8_TARGET __attribute__((target("avx2,fma,avxvnni")))
#include "kernel/convolution/channelwise/int8_channel_tile-inl.hpp"
#include "kernel/product/int8/byte_writer_256-inl.hpp"
#include "kernel/product/int8/unit_256-inl.hpp"

namespace kuiper_infer::kernel {

const Int8ChannelTiles& AvxVnniInt8ChannelTiles() {
  static constexpr Int8ChannelTiles kTiles{SumChannels<AvxVnni, 4>, WriteChannels<AvxVnni, 4, ByteWriter>};
  return kTiles;
}

}  // namespace kuiper_infer::kernel
#endif

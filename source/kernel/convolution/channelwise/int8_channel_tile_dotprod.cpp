// SPDX-License-Identifier: MIT
#if defined(__aarch64__)
#define KUIPER_INT8_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#include "kernel/convolution/channelwise/int8_channel_tile-inl.hpp"
#include "kernel/product/int8/unit_dotprod-inl.hpp"

namespace kuiper_infer::kernel {

const Int8ChannelTiles& DotProdInt8ChannelTiles() {
  static constexpr Int8ChannelTiles kTiles{SumChannels<DotProd, 4>, nullptr, DotProd::kOffset};
  return kTiles;
}

}  // namespace kuiper_infer::kernel
#endif

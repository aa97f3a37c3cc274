// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/winograd/int8_run.cpp"
#include "kernel/convolution/winograd/int8_run.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/winograd/int8_piece-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <int m>
void RunTiles(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const int64_t count = WinogradTiles(convolution, m).count();
  ParallelItems(DivideUp(count, convolution.tile), convolution.workers, [&](int64_t worker, int64_t piece) {
    const int64_t first = piece * convolution.tile;
    const int64_t last = std::min(count, first + convolution.tile);
    WordPiece<m>(convolution, arrays, first, last, arrays.workspace + worker * convolution.worker_bytes).Compute();
  });
}

}  // namespace

void RunInt8Winograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  RunTiles<2>(convolution, arrays);
}

void RunInt8Winograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  RunTiles<4>(convolution, arrays);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(RunInt8Winograd2);
KUIPER_SIMD_TABLE(RunInt8Winograd4);

void RunInt8Winograd2(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunInt8Winograd2)(convolution, arrays);
}

void RunInt8Winograd4(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  KUIPER_SIMD(RunInt8Winograd4)(convolution, arrays);
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
// Small groups: a vector of output channels holds several groups, and permutes the pixel's channels to them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/convolution/channelwise/grouped.cpp"
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/convolution/channelwise/grouped_windows-inl.hpp"
#include "kernel/convolution/channelwise/layout.hpp"
#include "kernel/convolution/channelwise/rows-inl.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {

/// Whether the vectors of the instruction set in use hold whole groups.
bool SuitsGrouped(const ConvolutionGeometry& geometry, const ProductKernel& product) {
  const int64_t inputs = geometry.channels_in / geometry.groups;
  const int64_t outputs = geometry.channels_out / geometry.groups;
  return &product.format == &kFloat32Format && geometry.groups > 1 && inputs > 0 && inputs <= outputs &&
         GroupLanes::kMost % outputs == 0;
}

void RunGroups(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  const ConvolutionGeometry& geometry = convolution.geometry;
  ComputeAllRows(geometry, [&](int64_t first, int64_t last) {
    const GroupLanes lanes(geometry.channels_in / geometry.groups, geometry.channels_out / geometry.groups);
    for (int64_t i = first; i < last; ++i) {
      WindowRun row;
      SetRow(convolution, arrays, i, {}, row);
      ComputeWindows(
          row, geometry.grid, arrays.activation, [&](const WindowRun& run) { RunGrouped<kRunWindows>(run, lanes); },
          [&](const WindowRun& run) { RunGrouped<1>(run, lanes); });
    }
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(SuitsGrouped);
KUIPER_SIMD_TABLE(RunGroups);

ConvolutionMethod GroupedMethod() {
  ConvolutionMethod method;
  method.name = "grouped";
  method.layout = LayoutChannelwise;
  method.suits = KUIPER_SIMD(SuitsGrouped);
  method.run = KUIPER_SIMD(RunGroups);
  method.along_channels = true;
  method.stores_bfloat16 = true;
  return method;
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_method.hpp"

namespace kuiper_infer::kernel {

// The list of methods: each one's row is made in the file that bears its name. `pieces`: see NumberFormats.
ConvolutionMethod DepthwiseMethod();
ConvolutionMethod GroupedMethod();
ConvolutionMethod DirectMethod(int pieces);
ConvolutionMethod SegmentsMethod(int pieces);
ConvolutionMethod RowsMethod(int pieces);
ConvolutionMethod Winograd2Method();
ConvolutionMethod Winograd4Method();
ConvolutionMethod Winograd6Method();

const std::vector<ConvolutionMethod>& ConvolutionMethods() {
  static const std::vector<ConvolutionMethod> kMethods{
      DepthwiseMethod(), GroupedMethod(),   DirectMethod(1),   DirectMethod(2),   DirectMethod(3),   DirectMethod(0),
      SegmentsMethod(1), SegmentsMethod(2), SegmentsMethod(3), SegmentsMethod(0), RowsMethod(1),     RowsMethod(2),
      RowsMethod(3),     RowsMethod(0),     Winograd2Method(), Winograd4Method(), Winograd6Method(),
  };
  return kMethods;
}

const ConvolutionMethod* FindMethod(std::string_view name) {
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    if (name == method.name) return &method;
  }
  return nullptr;
}

WeightShape WeightShapeOf(const ConvolutionGeometry& geometry) {
  return {geometry.groups, geometry.channels_out / geometry.groups, geometry.channels_in / geometry.groups,
          geometry.grid.taps()};
}

ChannelsLastConvolution ScheduleChannelsLast(const ConvolutionGeometry& geometry, const ImageStrides& input,
                                             int threads, const ConvolutionMethod& method) {
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  convolution.input = input;
  convolution.method = &method;
  if (method.schedule != nullptr) method.schedule(convolution, threads);
  return convolution;
}

void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  convolution.method->run(convolution, arrays);
}

}  // namespace kuiper_infer::kernel

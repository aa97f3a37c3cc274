// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_method.hpp"

namespace kuiper_infer::kernel {

// The list of methods: each one's row is made in the file that bears its name.
ConvolutionMethod DepthwiseMethod();
ConvolutionMethod Int8DepthwiseMethod();
ConvolutionMethod GroupedMethod();
ConvolutionMethod DirectMethod(const NumberFormats& formats);
ConvolutionMethod DirectInt8Method();
ConvolutionMethod SegmentsMethod(const NumberFormats& formats);
ConvolutionMethod SegmentsInt8Method();
ConvolutionMethod RowsMethod(const NumberFormats& formats);
ConvolutionMethod RowsInt8Method();
ConvolutionMethod Winograd2Method();
ConvolutionMethod Winograd4Method();
ConvolutionMethod Winograd6Method();
ConvolutionMethod Int8Winograd2Method();
ConvolutionMethod Int8Winograd4Method();

const std::vector<ConvolutionMethod>& ConvolutionMethods() {
  static const std::vector<ConvolutionMethod> kMethods{
      DepthwiseMethod(),
      Int8DepthwiseMethod(),
      GroupedMethod(),
      DirectInt8Method(),
      DirectMethod(BFloat16Weights(1)),
      DirectMethod(BFloat16Weights(2)),
      DirectMethod(BFloat16Weights(3)),
      DirectMethod({}),
      SegmentsMethod(BFloat16Weights(1)),
      SegmentsMethod(BFloat16Weights(2)),
      SegmentsMethod(BFloat16Weights(3)),
      SegmentsMethod({}),
      SegmentsInt8Method(),
      RowsInt8Method(),
      RowsMethod(BFloat16Weights(1)),
      RowsMethod(BFloat16Weights(2)),
      RowsMethod(BFloat16Weights(3)),
      RowsMethod({}),
      Winograd2Method(),
      Winograd4Method(),
      Winograd6Method(),
      Int8Winograd2Method(),
      Int8Winograd4Method(),
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

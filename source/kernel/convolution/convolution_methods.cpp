// SPDX-License-Identifier: MIT
#include "kernel/convolution/convolution_method.hpp"
#include "kernel/kernel_families.hpp"

namespace kuiper_infer::kernel {

// The list of methods: each one's row is made in the file that bears its name.
ConvolutionMethod DepthwiseMethod();
ConvolutionMethod Int8DepthwiseMethod();
ConvolutionMethod GroupedMethod();
ConvolutionMethod DirectMethod();
ConvolutionMethod SegmentsMethod();
ConvolutionMethod RowsMethod();
ConvolutionMethod Winograd2Method();
ConvolutionMethod Winograd4Method();
ConvolutionMethod Winograd6Method();
ConvolutionMethod Int8Winograd2Method();
ConvolutionMethod Int8Winograd4Method();

namespace {

std::vector<ConvolutionMethod> MethodsOfBuild() {
  std::vector<ConvolutionMethod> methods;
  if constexpr (kHasChannelwiseKernels) {
    methods.push_back(DepthwiseMethod());
    if constexpr (kHasInt8Kernels) methods.push_back(Int8DepthwiseMethod());
    methods.push_back(GroupedMethod());
  }
  for (const auto& method :
       {DirectMethod(), SegmentsMethod(), RowsMethod(), Winograd2Method(), Winograd4Method(), Winograd6Method()}) {
    methods.push_back(method);
  }
  if constexpr (kHasInt8Kernels) {
    methods.push_back(Int8Winograd2Method());
    methods.push_back(Int8Winograd4Method());
  }
  return methods;
}

}  // namespace

const std::vector<ConvolutionMethod>& ConvolutionMethods() {
  static const std::vector<ConvolutionMethod> kMethods = MethodsOfBuild();
  return kMethods;
}

std::string ConvolutionChoice::Name() const {
  const std::string format = product->name;
  return format.empty() ? method->name : method->name + (", " + format);
}

WeightShape WeightShapeOf(const ConvolutionGeometry& geometry) {
  return {geometry.groups, geometry.channels_out / geometry.groups, geometry.channels_in / geometry.groups,
          geometry.grid.taps()};
}

ChannelsLastConvolution ScheduleChannelsLast(const ConvolutionGeometry& geometry, const ImageStrides& input,
                                             int threads, const ConvolutionChoice& choice) {
  ChannelsLastConvolution convolution;
  convolution.geometry = geometry;
  convolution.input = input;
  convolution.method = choice.method;
  convolution.product = choice.product;
  if (choice.method->schedule != nullptr) choice.method->schedule(convolution, threads);
  return convolution;
}

void ConvolveChannelsLast(const ChannelsLastConvolution& convolution, const ChannelsLastArrays& arrays) {
  convolution.method->run(convolution, arrays);
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
// Constructors of convolutions that programs make themselves. classic_layers.cpp has those of other layers.
#include "kuiper_infer/layer/details/convolution.hpp"
#include "kuiper_infer/layer/details/deconvolution.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

Value Pair(int64_t height, int64_t width) { return Value::List{height, width}; }

std::map<std::string, Shape> ConvolutionWeights(uint32_t outer, uint32_t inner, uint32_t groups, uint32_t kernel_h,
                                                uint32_t kernel_w, uint32_t out_channels, bool use_bias) {
  if (groups == 0 || inner % groups != 0 || outer % groups != 0) {
    throw Error(ErrorCode::kArgument, "a convolution of " + std::to_string(inner) + " and " + std::to_string(outer) +
                                          " channels cannot have " + std::to_string(groups) + " groups");
  }
  std::map<std::string, Shape> shapes = {{"weight", {outer, inner / groups, kernel_h, kernel_w}}};
  if (use_bias) shapes["bias"] = {out_channels};
  return shapes;
}

std::map<std::string, Value> ConvolutionParams(uint32_t padding_h, uint32_t padding_w, uint32_t stride_h,
                                               uint32_t stride_w, uint32_t groups, bool use_bias, uint32_t dilation_h,
                                               uint32_t dilation_w) {
  return {{"padding", Pair(padding_h, padding_w)},
          {"stride", Pair(stride_h, stride_w)},
          {"groups", static_cast<int64_t>(groups)},
          {"bias", use_bias},
          {"dilation", Pair(dilation_h, dilation_w)}};
}

std::map<std::string, Value> WithOutputPadding(std::map<std::string, Value> params, uint32_t height, uint32_t width) {
  params["output_padding"] = Pair(height, width);
  return params;
}

}  // namespace

ConvolutionLayer::ConvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h, uint32_t kernel_w,
                                   uint32_t padding_h, uint32_t padding_w, uint32_t stride_h, uint32_t stride_w,
                                   uint32_t groups, bool use_bias, uint32_t dilation_h, uint32_t dilation_w)
    : OperatorLayer(
          "nn.Conv2d",
          ConvolutionParams(padding_h, padding_w, stride_h, stride_w, groups, use_bias, dilation_h, dilation_w),
          ElementShape::kCube,
          ConvolutionWeights(out_channels, in_channels, groups, kernel_h, kernel_w, out_channels, use_bias)) {}

ConvolutionLayer::ConvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h, uint32_t kernel_w,
                                   uint32_t padding_h, uint32_t padding_w, uint32_t stride_h, uint32_t stride_w,
                                   uint32_t groups, bool use_bias, uint32_t output_padding_h, uint32_t output_padding_w,
                                   uint32_t dilation_h, uint32_t dilation_w)
    : ConvolutionLayer(out_channels, in_channels, kernel_h, kernel_w, padding_h, padding_w, stride_h, stride_w, groups,
                       use_bias, dilation_h, dilation_w) {
  if (output_padding_h != 0 || output_padding_w != 0) {
    throw Error(ErrorCode::kArgument, "nn.Conv2d: output padding is " + std::to_string(output_padding_h) + " x " +
                                          std::to_string(output_padding_w) + ", a convolution has none");
  }
}

DeconvolutionLayer::DeconvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h,
                                       uint32_t kernel_w, uint32_t padding_h, uint32_t padding_w, uint32_t stride_h,
                                       uint32_t stride_w, uint32_t groups, bool use_bias, uint32_t output_padding_h,
                                       uint32_t output_padding_w, uint32_t dilation_h, uint32_t dilation_w)
    : OperatorLayer("nn.ConvTranspose2d",
                    WithOutputPadding(ConvolutionParams(padding_h, padding_w, stride_h, stride_w, groups, use_bias,
                                                        dilation_h, dilation_w),
                                      output_padding_h, output_padding_w),
                    ElementShape::kCube,
                    ConvolutionWeights(in_channels, out_channels, groups, kernel_h, kernel_w, out_channels, use_bias)) {
}

}  // namespace kuiper_infer

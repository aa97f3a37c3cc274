// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// 2-D convolution (cross-correlation) with zero padding. set_weights takes one tensor of in_channels/groups x kernel_h
/// x kernel_w per output channel, set_bias out_channels values; both are zero before. Padding, stride and dilation
/// count pixels. Throws Error(kArgument) if the arguments do not fit each other.
class ConvolutionLayer : public OperatorLayer {
 public:
  ConvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h, uint32_t kernel_w,
                   uint32_t padding_h, uint32_t padding_w, uint32_t stride_h, uint32_t stride_w, uint32_t groups,
                   bool use_bias = true, uint32_t dilation_h = 1, uint32_t dilation_w = 1);
  /// The order that transposed convolutions share. A convolution has no output padding: both have to be 0.
  ConvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h, uint32_t kernel_w,
                   uint32_t padding_h, uint32_t padding_w, uint32_t stride_h, uint32_t stride_w, uint32_t groups,
                   bool use_bias, uint32_t output_padding_h, uint32_t output_padding_w, uint32_t dilation_h,
                   uint32_t dilation_w);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Conv2d".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Conv2d", op, layer);
  }
};

}  // namespace kuiper_infer

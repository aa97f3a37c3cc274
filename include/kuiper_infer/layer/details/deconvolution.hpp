// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// Transposed 2-D convolution. set_weights takes one tensor of out_channels/groups x kernel_h x kernel_w per input
/// channel, set_bias out_channels values; both are zero before. Throws Error(kArgument) if the arguments do not fit
/// each other.
class DeconvolutionLayer : public OperatorLayer {
 public:
  DeconvolutionLayer(uint32_t out_channels, uint32_t in_channels, uint32_t kernel_h, uint32_t kernel_w,
                     uint32_t padding_h, uint32_t padding_w, uint32_t stride_h, uint32_t stride_w, uint32_t groups,
                     bool use_bias = true, uint32_t output_padding_h = 0, uint32_t output_padding_w = 0,
                     uint32_t dilation_h = 1, uint32_t dilation_w = 1);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.ConvTranspose2d".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.ConvTranspose2d", op, layer);
  }
};

}  // namespace kuiper_infer

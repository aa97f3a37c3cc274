// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// How pixels are interpolated.
enum class UpSampleMode { kModeNearest = 0, kModeBilinear = 1 };

/// Multiplies the rows of each plane by scale_h and its columns by scale_w, as PyTorch's Upsample does. align_corners
/// counts for kModeBilinear only.
class UpSampleLayer : public OperatorLayer {
 public:
  UpSampleLayer(float scale_h, float scale_w, UpSampleMode mode = UpSampleMode::kModeNearest,
                bool align_corners = false);

  /// The creator of this layer (LayerRegisterer::Creator). An empty `op->type` becomes "nn.Upsample".
  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Upsample", op, layer);
  }
};

}  // namespace kuiper_infer

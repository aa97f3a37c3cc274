// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

enum class UpSampleMode { kModeNearest = 0, kModeBilinear = 1 };

/// Resizes planes by a factor.
class UpSampleLayer : public OperatorLayer {
 public:
  UpSampleLayer(float scale_h, float scale_w, UpSampleMode mode = UpSampleMode::kModeNearest,
                bool align_corners = false);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("nn.Upsample", op, layer);
  }
};

}  // namespace kuiper_infer

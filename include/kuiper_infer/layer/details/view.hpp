// SPDX-License-Identifier: MIT
#pragma once

#include "../abstract/operator_layer.hpp"

namespace kuiper_infer {

/// A new shape, batch first, with one -1 allowed, in PyTorch's order of elements.
class ViewLayer : public OperatorLayer {
 public:
  explicit ViewLayer(const std::vector<int32_t>& shapes);

  static ParseParameterAttrStatus GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                              std::shared_ptr<Layer>& layer) {
    return MakeInstance("Tensor.reshape", op, layer);
  }
};

}  // namespace kuiper_infer

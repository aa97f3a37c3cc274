// SPDX-License-Identifier: MIT
// A plugin with a layer in the original's newer spelling, which uses the classic half of the public headers.
#define KUIPER_NEWER_SPELLING
#include <kuiper_infer/data/tensor_util.hpp>
#include <kuiper_infer/layer/abstract/layer_factory.hpp>
#include <kuiper_infer/layer/abstract/non_param_layer.hpp>

namespace {

using namespace kuiper_infer;  // NOLINT: like programs of the original

class NegateLayer : public NonParamLayer {
 public:
  NegateLayer() : NonParamLayer("Negate") {}

  using Layer<float>::Forward;
  StatusCode Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const sftensor negated = TensorClone(inputs[i]);
      negated->Transform([](float value) { return -value; });
      outputs.at(i) = negated;
    }
    return StatusCode::kSuccess;
  }
};

const LayerRegistererWrapper kNegate("net.Negate",
                                     [](const std::shared_ptr<RuntimeOperator>&, std::shared_ptr<Layer<float>>& layer) {
                                       layer = std::make_shared<NegateLayer>();
                                       return StatusCode::kSuccess;
                                     });

}  // namespace

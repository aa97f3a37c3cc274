// SPDX-License-Identifier: MIT
// The operator net.Wave of net.py as a plugin of the program `kuiper` (docs/plugins.md).
#include <cmath>

#include <kuiper_infer/data/tensor_util.hpp>
#include <kuiper_infer/layer/abstract/layer_factory.hpp>
#include <kuiper_infer/layer/abstract/non_param_layer.hpp>
#include <kuiper_infer/runtime/runtime_op.hpp>

namespace {

using namespace kuiper_infer;  // NOLINT: a file of one page

class WaveLayer : public NonParamLayer {
 public:
  WaveLayer(std::vector<float> amplitude, float frequency)
      : NonParamLayer("Wave"), amplitude_(std::move(amplitude)), frequency_(frequency) {}

  using Layer::Forward;
  /// Gets one tensor for each element of the batch and makes one for each.
  InferStatus Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::vector<float> values = inputs[i]->values();  // in PyTorch's order
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = amplitude_[k % amplitude_.size()] * std::sin(frequency_ * values[k]);
      }
      outputs[i] = TensorClone(inputs[i]);
      outputs[i]->Fill(values);
    }
    return InferStatus::kInferSuccess;
  }

  /// Reads the module's parameters and buffers, which the file keeps by their names in Python.
  static ParseParameterAttrStatus Create(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer>& layer) {
    const auto amplitude = op->attribute.find("amplitude");
    const auto frequency = op->attribute.find("frequency");
    if (amplitude == op->attribute.end()) return ParseParameterAttrStatus::kAttrMissingWeight;
    if (frequency == op->attribute.end()) return ParseParameterAttrStatus::kAttrMissingWeight;
    const std::vector<float> frequencies = frequency->second->get<float>();
    std::vector<float> amplitudes = amplitude->second->get<float>();
    if (amplitudes.empty() || frequencies.size() != 1) return ParseParameterAttrStatus::kAttrMissingWeight;
    layer = std::make_shared<WaveLayer>(std::move(amplitudes), frequencies.front());
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  }

 private:
  std::vector<float> amplitude_;
  float frequency_;
};

const LayerRegistererWrapper kRegisterWave("net.Wave", WaveLayer::Create);

}  // namespace

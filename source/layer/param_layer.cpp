// SPDX-License-Identifier: MIT
#include "kuiper_infer/layer/abstract/param_layer.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

Tensors MakeTensors(uint32_t count, uint32_t channels, uint32_t height, uint32_t width) {
  Tensors tensors;
  for (uint32_t i = 0; i < count; ++i) tensors.push_back(std::make_shared<Tensor<float>>(channels, height, width));
  return tensors;
}

std::string TensorShape(const std::shared_ptr<Tensor<float>>& tensor) {
  if (tensor == nullptr) return "null";
  const std::vector<uint32_t> extents = tensor->shapes();
  return ShapeString(Shape(extents.begin(), extents.end()));
}

void Replace(const std::string& layer, Tensors& own, const Tensors& given) {
  if (!own.empty() && own.size() != given.size()) {
    throw Error(ErrorCode::kShape, "layer " + layer + ": " + std::to_string(given.size()) +
                                       " tensors given, expected " + std::to_string(own.size()));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool fits = given[i] != nullptr && (own.empty() || given[i]->shapes() == own[i]->shapes());
    if (!fits) {
      throw Error(ErrorCode::kShape, "layer " + layer + ": tensor " + std::to_string(i) + " has shape " +
                                         TensorShape(given[i]) + ", expected " +
                                         (own.empty() ? "a tensor" : TensorShape(own[i])));
    }
  }
  own = given;
}

void FillAll(const std::string& layer, const Tensors& own, const std::vector<float>& values) {
  std::size_t expected = 0;
  for (const auto& tensor : own) expected += tensor->size();
  if (values.size() != expected) {
    throw Error(ErrorCode::kShape, "layer " + layer + ": " + std::to_string(values.size()) +
                                       " values given, expected " + std::to_string(expected));
  }
  auto next = values.begin();
  for (const auto& tensor : own) {
    const auto count = static_cast<std::ptrdiff_t>(tensor->size());
    tensor->Fill(std::vector<float>(next, next + count), true);
    next += count;
  }
}

}  // namespace

void ParamLayer::InitWeightParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width) {
  weights_ = MakeTensors(count, channels, height, width);
}

void ParamLayer::InitBiasParam(uint32_t count, uint32_t channels, uint32_t height, uint32_t width) {
  bias_ = MakeTensors(count, channels, height, width);
}

void ParamLayer::set_weights(const Tensors& weights) { Replace(layer_name_, weights_, weights); }

void ParamLayer::set_bias(const Tensors& bias) { Replace(layer_name_, bias_, bias); }

void ParamLayer::set_weights(const std::vector<float>& weights) { FillAll(layer_name_, weights_, weights); }

void ParamLayer::set_bias(const std::vector<float>& bias) { FillAll(layer_name_, bias_, bias); }

}  // namespace kuiper_infer

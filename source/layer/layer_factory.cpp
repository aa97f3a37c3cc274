// SPDX-License-Identifier: MIT
#include "kuiper_infer/layer/abstract/layer_factory.hpp"

#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/operation.hpp"
#include "operation/operator_errors.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer {

LayerRegisterer::CreateRegistry& LayerRegisterer::Registry() {
  static CreateRegistry registry = [] {
    CreateRegistry creators;
    for (const auto& [type, rows] : OperationTable::Instance().rows()) creators[type] = OperatorLayer::GetInstance;
    return creators;
  }();
  return registry;
}

void LayerRegisterer::RegisterCreator(const std::string& layer_type, const Creator& creator) {
  if (layer_type.empty()) throw Error(ErrorCode::kArgument, "a layer cannot be registered under an empty type");
  if (creator == nullptr) throw Error(ErrorCode::kArgument, "the creator of layer type " + layer_type + " is null");
  if (!Registry().emplace(layer_type, creator).second) {
    throw Error(ErrorCode::kArgument, "layer type " + layer_type + " is registered already");
  }
}

namespace {

std::vector<std::string>& WrapperErrors() {
  static std::vector<std::string> errors;
  return errors;
}

}  // namespace

void LayerRegisterer::RegisterAtStart(const std::string& layer_type, const Creator& creator) noexcept {
  try {
    RegisterCreator(layer_type, creator);
  } catch (const Error& error) {
    WrapperErrors().emplace_back(error.what());
  }
}

const std::vector<std::string>& LayerRegisterer::wrapper_errors() { return WrapperErrors(); }

namespace {

/// Reads weights that are still in their file into the attributes, because registered creators read the attributes.
void FetchWeights(RuntimeOperator& op) {
  for (const auto& [key, attribute] : op.attribute) {
    const auto stored = attribute == nullptr || attribute->weight == nullptr ? nullptr : attribute->weight->stored();
    if (stored == nullptr) continue;
    attribute->weight_data.resize(stored->size());
    ReadAll(*stored, attribute->weight_data.data());
    attribute->weight.reset();
  }
}

}  // namespace

std::shared_ptr<Layer> LayerRegisterer::CreateLayer(const std::shared_ptr<RuntimeOperator>& op) {
  if (op == nullptr) throw Error(ErrorCode::kArgument, "cannot create the layer of a null operator");
  if (!WrapperErrors().empty()) throw Error(ErrorCode::kArgument, WrapperErrors().front());
  const auto creator = Registry().find(op->type);
  if (creator == Registry().end()) {
    throw Error(ErrorCode::kUnsupported,
                "operator '" + op->name + "' has the type " + op->type + ", for which no layer is registered");
  }
  std::shared_ptr<Layer> layer;
  if (creator->second == OperatorLayer::GetInstance) {
    // Made directly, because a creator would reduce the reason of a refusal to a status.
    const auto built_in = std::make_shared<OperatorLayer>(*op);
    op->call = built_in->shared_call();
    layer = built_in;
  } else {
    FetchWeights(*op);
    const ParseParameterAttrStatus status = CallingUserCode(op->name, op->type, "its creator", ErrorCode::kArgument,
                                                            [&] { return creator->second(op, layer); });
    if (status != ParseParameterAttrStatus::kParameterAttrParseSuccess || layer == nullptr) {
      throw Error(ErrorCode::kArgument, "operator '" + op->name + "' (" + op->type +
                                            "): its creator failed with status " +
                                            std::to_string(static_cast<int>(status)));
    }
  }
  layer->set_runtime_operator(op);
  return layer;
}

std::vector<std::string> LayerRegisterer::layer_types() {
  std::vector<std::string> types;
  for (const auto& [type, creator] : Registry()) types.push_back(type);
  return types;
}

}  // namespace kuiper_infer

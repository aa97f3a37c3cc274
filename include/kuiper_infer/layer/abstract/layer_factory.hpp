// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "layer.hpp"

namespace kuiper_infer {

/// The registry of layers, keyed by operator type. The built-in operations are in it from the first use on.
class LayerRegisterer {
 public:
  using Creator = ParseParameterAttrStatus (*)(const std::shared_ptr<RuntimeOperator>& op,
                                               std::shared_ptr<Layer>& layer);
  using CreateRegistry = std::map<std::string, Creator>;

  /// Throws Error(kArgument) on an empty type, a null creator or a type that is registered already.
  static void RegisterCreator(const std::string& layer_type, const Creator& creator);

  /// Makes the layer of an operator. Throws Error(kUnsupported) for an unknown type and Error(kArgument) when the
  /// creator refuses the operator's parameters or attributes; both name the operator.
  static std::shared_ptr<Layer> CreateLayer(const std::shared_ptr<RuntimeOperator>& op);

  static CreateRegistry& Registry();

  /// All registered types, sorted.
  static std::vector<std::string> layer_types();
};

/// Registers a creator while the program starts:
///     LayerRegistererWrapper kMyOp("my.Op", MyLayer::GetInstance);
/// The object must be in a file that is linked for another reason too (a program's own source is).
class LayerRegistererWrapper {
 public:
  LayerRegistererWrapper(const std::string& layer_type, const LayerRegisterer::Creator& creator) {
    LayerRegisterer::RegisterCreator(layer_type, creator);
  }
};

}  // namespace kuiper_infer

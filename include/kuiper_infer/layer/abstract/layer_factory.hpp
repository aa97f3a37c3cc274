// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../../runtime/runtime_op.hpp"
#include "layer.hpp"

namespace kuiper_infer {

/// The registry of layers, keyed by operator type. The built-in operations are in it from the first use on.
class LayerRegisterer {
 public:
  using Creator = ParseParameterAttrStatus (*)(const std::shared_ptr<RuntimeOperator>& op,
                                               std::shared_ptr<templates::Layer<float>>& layer);
  /// A map that can be used like a pointer to it as well: Registry().size() and Registry()->size().
  struct CreateRegistry : std::map<std::string, Creator> {
    CreateRegistry* operator->() { return this; }
    const CreateRegistry* operator->() const { return this; }
  };

  /// Throws Error(kArgument) on an empty type, a null creator or a type that is registered already.
  static void RegisterCreator(const std::string& layer_type, const Creator& creator);

  /// Registers a creator for LayerRegistererWrapper. An error of RegisterCreator is kept in wrapper_errors(): thrown
  /// while a program starts or a shared object is loaded, nobody could catch it, and it would end the process.
  static void RegisterAtStart(const std::string& layer_type, const Creator& creator) noexcept;
  static const std::vector<std::string>& wrapper_errors();

  /// Makes the layer of an operator. Throws Error(kUnsupported) for an unknown type and Error(kArgument) when the
  /// creator refuses the operator's parameters or attributes or throws; both name the operator. Throws Error(kArgument)
  /// for every operator where there are wrapper_errors(): another layer than the one meant could be made.
  static std::shared_ptr<templates::Layer<float>> CreateLayer(const std::shared_ptr<RuntimeOperator>& op);

  static CreateRegistry& Registry();

  /// All registered types, sorted.
  static std::vector<std::string> layer_types();
};

/// Registers a creator while the program starts:
///     LayerRegistererWrapper kMyOp("my.Op", MyLayer::GetInstance);
///     LayerRegistererWrapper kMyOps(MyLayer::GetInstance, "my.Op", "my.OtherName");
/// The object must be in a file that is linked for another reason too (a program's own source is).
class LayerRegistererWrapper {
 public:
  LayerRegistererWrapper(const std::string& layer_type, const LayerRegisterer::Creator& creator) {
    LayerRegisterer::RegisterAtStart(layer_type, creator);
  }

  /// Registers one creator for several types.
  template <class... Types>
  explicit LayerRegistererWrapper(const LayerRegisterer::Creator& creator, const std::string& layer_type,
                                  const Types&... layer_types) {
    for (const std::string& type : {layer_type, std::string(layer_types)...}) {
      LayerRegisterer::RegisterAtStart(type, creator);
    }
  }
};

}  // namespace kuiper_infer

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
  /// Makes the layer of `op`, or returns the code of a parameter or attribute that is missing or wrong.
  using Creator = ParseParameterAttrStatus (*)(const std::shared_ptr<RuntimeOperator>& op,
                                               std::shared_ptr<templates::Layer<float>>& layer);
  /// A map that can be used like a pointer to it as well: Registry().size() and Registry()->size().
  struct CreateRegistry : std::map<std::string, Creator> {
    CreateRegistry* operator->() { return this; }
    const CreateRegistry* operator->() const { return this; }
  };

  /// Throws Error(kArgument) on an empty type, a null creator or a type that is registered already.
  static void RegisterCreator(const std::string& layer_type, const Creator& creator);

  /// Registers a creator for LayerRegistererWrapper. An error of RegisterCreator is kept in wrapper_errors(). It is not
  /// thrown, because nobody could catch it while a program starts or a shared object is loaded, and it would end the
  /// process.
  static void RegisterAtStart(const std::string& layer_type, const Creator& creator) noexcept;
  /// The texts of the errors that RegisterAtStart kept.
  static const std::vector<std::string>& wrapper_errors();

  /// Makes the layer of an operator. Throws Error(kUnsupported) for an unknown type, and Error(kArgument) if the
  /// creator refuses the operator's parameters or attributes or throws; both name the operator. If there are
  /// wrapper_errors(), it throws Error(kArgument) for every operator, because the registry may hold another layer than
  /// the one that was meant.
  static std::shared_ptr<templates::Layer<float>> CreateLayer(const std::shared_ptr<RuntimeOperator>& op);

  /// The registry itself: creators by operator type.
  static CreateRegistry& Registry();

  /// All registered types, sorted.
  static std::vector<std::string> layer_types();
};

/// Registers a creator while the program starts:
///     LayerRegistererWrapper kMyOp("my.Op", MyLayer::GetInstance);
///     LayerRegistererWrapper kMyOps(MyLayer::GetInstance, "my.Op", "my.OtherName");
/// The object must be in a file that is linked in any case, such as a program's own source: a linker takes from a
/// static library only files that something refers to.
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

// SPDX-License-Identifier: MIT
// A plugin that registers REGISTERED_TYPE, or nothing.
#include <kuiper_infer/layer/abstract/layer_factory.hpp>

namespace {

[[maybe_unused]] kuiper_infer::ParseParameterAttrStatus Refuse(
    const std::shared_ptr<kuiper_infer::RuntimeOperator>& /*op*/, std::shared_ptr<kuiper_infer::Layer>& /*layer*/) {
  return kuiper_infer::ParseParameterAttrStatus::kParameterMissingUnknown;
}

#ifdef REGISTERED_TYPE
const kuiper_infer::LayerRegistererWrapper kRegistered(REGISTERED_TYPE, Refuse);
#endif

}  // namespace

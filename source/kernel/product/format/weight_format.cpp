// SPDX-License-Identifier: MIT
#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::kernel {

const std::vector<const WeightFormat*>& StoredFormats() {
  static const std::vector<const WeightFormat*> kFormats{&kInt8Format, &kInt8GroupFormat, &kInt8AsymmetricFormat,
                                                         &kInt4Format, &kInt4AsymmetricFormat};
  return kFormats;
}

const FormatParameter* FindParameter(std::string_view attribute) {
  for (const WeightFormat* format : StoredFormats()) {
    for (const FormatParameter& parameter : format->parameters) {
      const std::string_view ending = parameter.ending;
      if (attribute.size() > ending.size() && attribute.substr(attribute.size() - ending.size()) == ending)
        return &parameter;
    }
  }
  return nullptr;
}

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::kernel {

void WeightFormat::ScaleRow(const float* row_parameters, int64_t groups, int64_t count, float* numbers) const {
  const int64_t size = count / groups;
  for (int64_t group = 0; group < groups; ++group) {
    scale(row_parameters + group * ParameterCount(), size, numbers + group * size);
  }
}

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

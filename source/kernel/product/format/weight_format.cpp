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
  static const std::vector<const WeightFormat*> kFormats{&kInt8Format, &kInt8GroupFormat, &kInt4Format,
                                                         &kInt4AsymmetricFormat};
  return kFormats;
}

}  // namespace kuiper_infer::kernel

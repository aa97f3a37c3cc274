// SPDX-License-Identifier: MIT
#include "kernel/product/format/weight_format.hpp"

namespace kuiper_infer::kernel {

const WeightFormat kFloat32Format{"float32", 32};

const WeightFormat& BFloat16Format(int pieces) {
  static const WeightFormat kFormats[] = {{"bfloat16", 16, 1}, {"bfloat16x2", 32, 2}, {"bfloat16x3", 48, 3}};
  return kFormats[pieces - 1];
}

}  // namespace kuiper_infer::kernel

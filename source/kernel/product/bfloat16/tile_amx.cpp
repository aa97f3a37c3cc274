// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#include "kernel/product/bfloat16/tile_amx.hpp"

#include "kernel/product/amx_unit.hpp"

namespace kuiper_infer::kernel {

const BFloat16Tiles& AmxBFloat16Tiles() {
  static const BFloat16Tiles kKernel = AmxBFloat16<AmxUnit>::Kernel(Avx512BFloat16Tiles());
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#include "kernel/product/bfloat16/tile_amx.hpp"

#include "kernel/product/amx_unit.hpp"

namespace kuiper_infer::kernel {

const BFloat16Kernel& AmxBFloat16Kernel() {
  static const BFloat16Kernel kKernel = AmxBFloat16<AmxUnit>::Kernel(Avx512BFloat16Kernel().round);
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#if defined(__x86_64__)
#include "kernel/product/int8/tile_amx.hpp"

#include "kernel/product/amx_unit.hpp"

namespace kuiper_infer::kernel {

const Int8Tiles& AmxInt8Tiles() {
  static constexpr Int8Tiles kKernel = AmxInt8<AmxUnit, Avx512VnniInt8Tiles>::Kernel();
  return kKernel;
}

}  // namespace kuiper_infer::kernel
#endif

// SPDX-License-Identifier: MIT
#include "kernel/elementwise/where.hpp"

#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {

void Where(const WhereLoop& loop, RuntimeDataType type, const bool* condition, const void* yes, const void* no,
           void* output) {
  const auto strides = loop.strides();
  DispatchWidth(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    loop.ForEach(1, [&](const auto& at, int64_t count) {
      const bool* flags = condition + at[0];
      const T* a = static_cast<const T*>(yes) + at[1];
      const T* b = static_cast<const T*>(no) + at[2];
      T* out = static_cast<T*>(output) + at[3];
      for (int64_t i = 0; i < count; ++i) {
        out[i * strides[3]] = flags[i * strides[0]] ? a[i * strides[1]] : b[i * strides[2]];
      }
    });
  });
}

}  // namespace kuiper_infer::kernel

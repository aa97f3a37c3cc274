// SPDX-License-Identifier: MIT
#include "kernel/elementwise/where.hpp"

#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {

void Where(const WhereLoop& loop, RuntimeDataType type, const bool* condition, const void* yes, const void* no,
           void* output) {
  const auto steps = loop.steps();
  DispatchWidth(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    loop.ForEach(1, [&](const auto& at, int64_t count) {
      const bool* flags = condition + at[0];
      const T* a = static_cast<const T*>(yes) + at[1];
      const T* b = static_cast<const T*>(no) + at[2];
      T* out = static_cast<T*>(output) + at[3];
      for (int64_t i = 0; i < count; ++i) {
        out[i * steps[3]] = flags[i * steps[0]] ? a[i * steps[1]] : b[i * steps[2]];
      }
    });
  });
}

}  // namespace kuiper_infer::kernel

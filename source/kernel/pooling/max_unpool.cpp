// SPDX-License-Identifier: MIT
#include "kernel/pooling/max_unpool.hpp"

#include <algorithm>
#include <atomic>

#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
bool Unpool(int64_t planes, int64_t count, int64_t size, const T* input, const int64_t* indices, T* output) {
  std::atomic<bool> valid{true};
  ParallelFor(planes, GrainFor(count + size), [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      T* target = output + plane * size;
      std::fill_n(target, size, T(0));
      for (int64_t i = plane * count; i < (plane + 1) * count; ++i) {
        if (indices[i] < 0 || indices[i] >= size) {
          valid = false;
          return;
        }
        target[indices[i]] = input[i];
      }
    }
  });
  return valid;
}

}  // namespace

bool MaxUnpool(int64_t planes, int64_t count, int64_t size, std::size_t element_bytes, const void* input,
               const int64_t* indices, void* output) {
  const auto as = [&](auto zero) {
    using T = decltype(zero);
    return Unpool(planes, count, size, static_cast<const T*>(input), indices, static_cast<T*>(output));
  };
  switch (element_bytes) {
    case 1:
      return as(uint8_t{0});
    case 2:
      return as(uint16_t{0});
    case 4:
      return as(uint32_t{0});
    default:
      return as(uint64_t{0});
  }
}

}  // namespace kuiper_infer::kernel

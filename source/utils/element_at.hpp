// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer {

/// The address of element `index` of an array of elements of that type.
inline const void* ElementAt(const void* elements, RuntimeDataType type, int64_t index) {
  return static_cast<const std::byte*>(elements) + index * static_cast<int64_t>(ElementBytes(type));
}
inline void* ElementAt(void* elements, RuntimeDataType type, int64_t index) {
  return static_cast<std::byte*>(elements) + index * static_cast<int64_t>(ElementBytes(type));
}

}  // namespace kuiper_infer

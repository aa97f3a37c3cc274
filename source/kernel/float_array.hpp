// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::kernel {

/// Numbers that are stored as float32 or as bfloat16. `Pointer` is void* or const void*.
template <class Pointer>
struct FloatArray {
  Pointer data = nullptr;
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;

  bool is_bfloat16() const { return type == RuntimeDataType::kTypeBFloat16; }
  /// The array without its first `numbers` numbers.
  FloatArray From(int64_t numbers) const {
    using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const std::byte, std::byte>;
    const int64_t size = is_bfloat16() ? sizeof(uint16_t) : sizeof(float);
    return {static_cast<Byte*>(data) + numbers * size, type};
  }
};

}  // namespace kuiper_infer::kernel

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kuiper_infer/utils/data_type.hpp"
#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {

/// Numbers that are stored as float32 or as bfloat16. `Pointer` is void* or const void*.
template <class Pointer>
struct FloatArray {
  Pointer data = nullptr;
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;

  bool is_bfloat16() const { return type == RuntimeDataType::kTypeBFloat16; }
  /// The array without its first `numbers` numbers.
  FloatArray From(int64_t numbers) const { return {ElementAt(data, type, numbers), type}; }
};

}  // namespace kuiper_infer::kernel

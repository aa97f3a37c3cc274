// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace kuiper_infer::kernel {

/// output[plane, indices[plane, i]] = input[plane, i], zero elsewhere; of equal indices the last one counts. Row-major
/// arrays without gaps: input and indices (planes, count), output (planes, size); elements of `element_bytes` (1, 2, 4
/// or 8) bytes. Returns false, with an unspecified output, when an index is not in [0, size).
bool MaxUnpool(int64_t planes, int64_t count, int64_t size, std::size_t element_bytes, const void* input,
               const int64_t* indices, void* output);

}  // namespace kuiper_infer::kernel

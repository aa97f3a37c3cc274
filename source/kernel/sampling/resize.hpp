// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "kernel/sampling/resize_axis.hpp"

namespace kuiper_infer::kernel {

/// The number of output rows that may be computed at once. Each needs axes[2].extent_in elements of scratch memory.
template <class T>
int64_t ResizeWorkers(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int threads);

/// Resizes `planes` independent images along depth, height and width, whose axes are `axes`. The input has the shape
/// (planes, 3 x extent_in), the output (planes, 3 x extent_out); both are row-major without gaps and do not overlap.
/// `workspace` holds workers * axes[2].extent_in elements. Instantiated for float and double.
template <class T>
void Resize(const std::array<ResizeAxis<T>, 3>& axes, int64_t planes, int64_t workers, const T* input, T* workspace,
            T* output);

}  // namespace kuiper_infer::kernel

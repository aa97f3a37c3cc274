// SPDX-License-Identifier: MIT
#pragma once

#include "operation/parameters.hpp"
#include "shape/window.hpp"

namespace kuiper_infer {

/// Reads the windows of a pooling over the axes of the image: kernel_size, stride (None or empty: kernel_size),
/// padding, dilation and ceil_mode, as far as the operation has them. Throws Error if the padding is more than half of
/// a window.
WindowGrid ReadPoolingWindows(const Arguments& arguments, const SpatialInput& spatial);

}  // namespace kuiper_infer

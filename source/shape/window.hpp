// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"
#include "shape/window_grid.hpp"

namespace kuiper_infer {

/// Number of window positions along an axis of `input` elements,
///     floor((input + padding_begin + padding_end - dilation * (kernel - 1) - 1) / stride) + 1,
/// or rounded up if `ceil_mode`; then a last window that would start in the end padding or beyond is dropped (PyTorch's
/// pooling_output_shape). Throws Error(kShape) if kernel, stride or dilation is below 1, if a padding is negative, if
/// the window does not fit into the padded input, or if a number overflows.
int64_t OutputExtent(int64_t input, const Window& window, bool ceil_mode = false);

/// Extent of a transposed convolution's output,
///     (input - 1) * stride - padding_begin - padding_end + dilation * (kernel - 1) + output_padding + 1.
/// Throws Error(kShape) as OutputExtent does, and if output_padding is neither smaller than the stride nor smaller than
/// the dilation, or if the result is below 1.
int64_t TransposedExtent(int64_t input, const Window& window, int64_t output_padding);

/// Sets the padding such that stride 1 keeps the extent: dilation * (kernel - 1) elements in all. If their number is
/// odd, the end gets one more than the beginning. Throws Error(kShape) for another stride, as PyTorch's padding="same"
/// does.
void PadSame(Window& window);

/// Windows over the trailing `image.size()` (1 to 3) axes, extended to three dimensions, with their positions by
/// OutputExtent. Both lists are ordered outermost axis first and have the same length. Throws Error(kShape) as
/// OutputExtent does, and if the number of elements of the padded image or of a window exceeds int64.
WindowGrid MakeWindowGrid(const Shape& image, const std::vector<Window>& windows, bool ceil_mode = false);

}  // namespace kuiper_infer

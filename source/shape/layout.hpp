// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"
#include "shape/pixel_strides.hpp"

namespace kuiper_infer {

/// A layout is the order in which the axes of an array without gaps lie in memory: 0, 1, ... is row-major.

/// A layout as axis numbers, the slowest first.
using AxisOrder = std::vector<std::size_t>;

AxisOrder RowMajorOrder(int64_t rank);

/// The layout of channels-last arrays: channels fastest, then the other axes in their order.
AxisOrder ChannelsLastOrder(int64_t rank, int64_t channel_axis);

/// The layout of a strided array, gaps or not, as far as its strides tell: a new array of this layout lies like it.
/// Row-major where elements repeat or run backwards.
AxisOrder MemoryOrder(const TensorSpec& spec);

/// The layout that an operator's result should have so that it lies like its operands: that of the first one which is
/// not row-major. All have the rank of the result.
AxisOrder CommonOrder(const std::vector<TensorSpec>& operands);

/// The spec of an array without gaps in this layout.
TensorSpec OrderedSpec(RuntimeDataType type, const Shape& shape, const AxisOrder& order);

/// The spec of `spec`'s memory with the axes numbered by the order.
TensorSpec PermuteAxes(const TensorSpec& spec, const AxisOrder& order);

/// Whether two shapes of one rank are equal but for this axis.
bool DiffersInAxisOnly(const TensorSpec& a, const TensorSpec& b, int64_t axis);

/// The strides of a channels-last image or batch (channel_axis 0 or 1, image axes behind it); nothing for any other
/// layout.
std::optional<PixelStrides> FindPixelStrides(const TensorSpec& spec, int64_t channel_axis);

}  // namespace kuiper_infer

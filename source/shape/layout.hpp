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

/// The layout of a strided array, with or without gaps: the order of its strides. Row-major if elements repeat or run
/// backwards along an axis.
AxisOrder MemoryOrder(const TensorSpec& spec);

/// The layout that an operator's result should have to keep the layout of its operands: the layout of the first operand
/// that is not row-major. All operands have the rank of the result.
AxisOrder CommonOrder(const std::vector<TensorSpec>& operands);

/// The spec of an array without gaps in this layout.
TensorSpec OrderedSpec(RuntimeDataType type, const Shape& shape, const AxisOrder& order);

/// The spec of the same memory with the axes permuted into this order.
TensorSpec PermuteAxes(const TensorSpec& spec, const AxisOrder& order);

/// Whether two shapes of the same rank are equal, except along this axis.
bool DiffersInAxisOnly(const TensorSpec& a, const TensorSpec& b, int64_t axis);

/// The strides of a channels-last image or batch, whose image axes follow `channel_axis` (0 or 1); nothing if the array
/// has any other layout.
std::optional<PixelStrides> FindPixelStrides(const TensorSpec& spec, int64_t channel_axis);

}  // namespace kuiper_infer

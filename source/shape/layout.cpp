// SPDX-License-Identifier: MIT
#include "shape/layout.hpp"

#include <algorithm>
#include <numeric>

namespace kuiper_infer {

AxisOrder RowMajorOrder(int64_t rank) {
  AxisOrder order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

AxisOrder ChannelsLastOrder(int64_t rank, int64_t channel_axis) {
  AxisOrder order = RowMajorOrder(rank);
  std::rotate(order.begin() + channel_axis, order.begin() + channel_axis + 1, order.end());
  return order;
}

AxisOrder MemoryOrder(const TensorSpec& spec) {
  const AxisOrder row_major = RowMajorOrder(spec.rank());
  if (spec.contiguous()) return row_major;
  AxisOrder order;
  for (const std::size_t axis : row_major) {
    if (spec.shape[axis] == 1) continue;
    if (spec.strides[axis] <= 0) return row_major;
    order.push_back(axis);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return spec.strides[a] > spec.strides[b]; });
  // The stride of an axis of extent 1 says nothing. The axis goes where it would be if the array were larger: the
  // first axis comes first, the last axis comes after the axis before it, and any other axis before the next axis.
  for (std::size_t axis = row_major.size(); axis-- > 0;) {
    if (spec.shape[axis] != 1) continue;
    auto place = order.begin();
    if (axis + 1 < row_major.size() && axis > 0) place = std::find(order.begin(), order.end(), axis + 1);
    if (axis + 1 == row_major.size() && axis > 0) {
      place = std::find(order.begin(), order.end(), axis - 1);
      if (place != order.end()) ++place;
    }
    order.insert(place, axis);
  }
  return order;
}

AxisOrder CommonOrder(const std::vector<TensorSpec>& operands) {
  const AxisOrder row_major = RowMajorOrder(operands.front().rank());
  for (const TensorSpec& operand : operands) {
    AxisOrder order = MemoryOrder(operand);
    if (order != row_major) return order;
  }
  return row_major;
}

TensorSpec OrderedSpec(RuntimeDataType type, const Shape& shape, const AxisOrder& order) {
  TensorSpec spec(type, shape);
  int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    spec.strides[order[i]] = stride;
    stride *= std::max<int64_t>(shape[order[i]], 1);
  }
  return spec;
}

TensorSpec PermuteAxes(const TensorSpec& spec, const AxisOrder& order) {
  TensorSpec result = spec;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.shape[i] = spec.shape[order[i]];
    result.strides[i] = spec.strides[order[i]];
  }
  return result;
}

bool DiffersInAxisOnly(const TensorSpec& a, const TensorSpec& b, int64_t axis) {
  if (a.rank() != b.rank()) return false;
  Shape shape = a.shape;
  shape[static_cast<std::size_t>(axis)] = b.shape[static_cast<std::size_t>(axis)];
  return shape == b.shape;
}

std::optional<PixelStrides> FindPixelStrides(const TensorSpec& spec, int64_t channel_axis) {
  const auto channel = static_cast<std::size_t>(channel_axis);
  const int64_t channels = spec.shape[channel];
  if (channels != 1 && spec.strides[channel] != 1) return std::nullopt;
  PixelStrides strides;
  int64_t pixels = 1;
  for (std::size_t axis = spec.shape.size(); axis-- > channel + 1;) {
    const int64_t extent = spec.shape[axis];
    if (extent == 1) continue;
    if (pixels == 1) strides.pixel = spec.strides[axis];
    if (spec.strides[axis] != pixels * strides.pixel) return std::nullopt;
    pixels *= extent;
  }
  if (pixels == 1) strides.pixel = channels;
  if (strides.pixel < channels) return std::nullopt;
  const bool several = channel == 1 && spec.shape[0] != 1;
  strides.image = several ? spec.strides[0] : pixels * strides.pixel;
  if (strides.image < 0) return std::nullopt;
  return strides;
}

}  // namespace kuiper_infer

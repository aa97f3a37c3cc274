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

std::optional<AxisOrder> DenseOrder(const TensorSpec& spec) {
  AxisOrder order = RowMajorOrder(spec.rank());
  if (spec.contiguous()) return order;
  const auto step = [&](std::size_t axis) { return spec.shape[axis] == 1 ? INT64_MAX : spec.strides[axis]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) > step(b); });
  int64_t expected = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (spec.shape[order[i]] == 1) continue;
    if (spec.strides[order[i]] != expected) return std::nullopt;
    expected *= spec.shape[order[i]];
  }
  return order;
}

TensorSpec OrderedSpec(RuntimeDataType type, const Shape& shape, const AxisOrder& order) {
  TensorSpec spec(type, shape);
  int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    spec.strides[order[i]] = step;
    step *= std::max<int64_t>(shape[order[i]], 1);
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

std::optional<kernel::PixelSteps> FindPixelSteps(const TensorSpec& spec, int64_t channel_axis) {
  const auto channel = static_cast<std::size_t>(channel_axis);
  const int64_t channels = spec.shape[channel];
  if (channels != 1 && spec.strides[channel] != 1) return std::nullopt;
  kernel::PixelSteps steps;
  int64_t pixels = 1;
  for (std::size_t axis = spec.shape.size(); axis-- > channel + 1;) {
    const int64_t extent = spec.shape[axis];
    if (extent == 1) continue;
    if (pixels == 1) steps.pixel = spec.strides[axis];
    if (spec.strides[axis] != pixels * steps.pixel) return std::nullopt;
    pixels *= extent;
  }
  if (pixels == 1) steps.pixel = channels;
  if (steps.pixel < channels) return std::nullopt;
  const bool several = channel == 1 && spec.shape[0] != 1;
  steps.image = several ? spec.strides[0] : pixels * steps.pixel;
  if (steps.image < 0) return std::nullopt;
  return steps;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/pooling/channels_last_pooling.hpp"

#include "shape/layout.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling) {
  const TensorSpec& spec = spatial.input.spec;
  if (spec.type != RuntimeDataType::kTypeFloat32 || spec.contiguous()) return {};
  const auto channel_axis = static_cast<int64_t>(spatial.leading.size()) - 1;
  const std::optional<PixelStrides> strides = FindPixelStrides(spec, channel_axis);
  if (!strides) return {};
  pooling.channels = spatial.leading.back();
  pooling.batch = channel_axis == 1 ? spatial.leading.front() : 1;
  std::copy(spatial.image.begin(), spatial.image.end(),
            pooling.image.end() - static_cast<int64_t>(spatial.image.size()));
  Extents3 positions;
  for (std::size_t axis = 0; axis < 3; ++axis) positions[axis] = static_cast<int64_t>(pooling.axes[axis].size());
  const AxisOrder order = ChannelsLastOrder(spec.rank(), channel_axis);
  OperationPlan plan;
  plan.outputs = {OutputPlan::NewWithGaps(OrderedSpec(spec.type, spatial.OutputShape(positions), order))};
  plan.workspace_bytes = FloatBytes(kernel::PoolingScratch(pooling));
  plan.run = [pooling = std::move(pooling), strides = *strides, input = spatial.input.input,
              channel_axis](const RunContext& c) {
    kernel::PoolChannelsLast(pooling, c.inputs[input].as<float>(), strides, c.outputs[0].as<float>(),
                             *FindPixelStrides(c.outputs[0].spec, channel_axis), reinterpret_cast<float*>(c.workspace));
  };
  return plan;
}

}  // namespace kuiper_infer

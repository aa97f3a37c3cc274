// SPDX-License-Identifier: MIT
#include "operators/pooling/channels_last_pooling.hpp"

#include "operation/computation.hpp"
#include "shape/layout.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Pooling by the channels-last kernels. Maxima can be those of bytes.
class ChannelsLastPool : public Computation {
 public:
  ChannelsLastPool(kernel::ChannelsLastPooling pooling, TensorArgument input, int64_t channel_axis)
      : pooling_(std::move(pooling)), input_(std::move(input)), channel_axis_(channel_axis) {}

  bool Reads(RuntimeDataType stored, int /*input*/, const Fusion& fusion) const override {
    return Writes(stored, fusion);
  }
  bool Writes(RuntimeDataType stored, const Fusion& /*fusion*/) const override {
    return pooling_.maximum && stored == RuntimeDataType::kTypeUInt8;
  }
  bool KeepsNumbers() const override { return pooling_.maximum; }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    return fusion.result.type == RuntimeDataType::kTypeUInt8 ? CallOn<uint8_t>() : CallOn<float>();
  }

 private:
  template <class T>
  KernelCall CallOn() const {
    KernelCall call;
    call.workspace_bytes = kernel::PoolingScratch(pooling_) * static_cast<int64_t>(sizeof(T));
    call.run = [pooling = pooling_, strides = *FindPixelStrides(input_.spec, channel_axis_), input = input_.input,
                channel_axis = channel_axis_](const RunContext& c) {
      kernel::PoolChannelsLast(pooling, c.inputs[input].as<T>(), strides, c.outputs[0].as<T>(),
                               *FindPixelStrides(c.outputs[0].spec, channel_axis), reinterpret_cast<T*>(c.workspace));
    };
    return call;
  }

  kernel::ChannelsLastPooling pooling_;
  TensorArgument input_;
  int64_t channel_axis_;
};

}  // namespace

std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling) {
  const TensorSpec& spec = spatial.input.spec;
  if (spec.type != RuntimeDataType::kTypeFloat32 || spec.contiguous()) return {};
  const auto channel_axis = static_cast<int64_t>(spatial.leading.size()) - 1;
  if (!FindPixelStrides(spec, channel_axis)) return {};
  pooling.channels = spatial.leading.back();
  pooling.batch = channel_axis == 1 ? spatial.leading.front() : 1;
  std::copy(spatial.image.begin(), spatial.image.end(),
            pooling.image.end() - static_cast<int64_t>(spatial.image.size()));
  Extents3 positions;
  for (std::size_t axis = 0; axis < 3; ++axis) positions[axis] = static_cast<int64_t>(pooling.axes[axis].size());
  const AxisOrder order = ChannelsLastOrder(spec.rank(), channel_axis);
  OperationPlan plan;
  plan.outputs = {OutputPlan::NewWithGaps(OrderedSpec(spec.type, spatial.OutputShape(positions), order))};
  plan.computation = std::make_shared<const ChannelsLastPool>(std::move(pooling), spatial.input, channel_axis);
  return plan;
}

}  // namespace kuiper_infer

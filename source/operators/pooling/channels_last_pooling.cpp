// SPDX-License-Identifier: MIT
#include "operators/pooling/channels_last_pooling.hpp"

#include "operation/computation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

/// Pooling by the channels-last kernels. Maxima are stored as their input is; means read and write any form.
class ChannelsLastPool : public Computation {
 public:
  ChannelsLastPool(kernel::ChannelsLastPooling pooling, TensorArgument input, int64_t channel_axis,
                   const PlanningContext& context)
      : pooling_(std::move(pooling)),
        input_(std::move(input)),
        channel_axis_(channel_axis),
        stores_bfloat16_(context.StoresBFloat16()) {}

  bool CanFuse(const Fusion& fusion) const override {
    return !pooling_.maximum && fusion.factor < 0 && fusion.residual < 0 && fusion.activation.function == nullptr;
  }
  bool Reads(RuntimeDataType stored, int /*input*/, const Fusion& /*fusion*/) const override {
    if (stored == RuntimeDataType::kTypeBFloat16) return stores_bfloat16_;
    return pooling_.maximum || kernel::SumsOfBytesFit(pooling_);
  }
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override {
    const auto& grid = fusion.result.grid;
    if (stored == RuntimeDataType::kTypeBFloat16) return stores_bfloat16_ && !grid;
    return pooling_.maximum || (grid && FitsBytes(*grid));
  }
  bool PrefersBFloat16(int /*input*/, const Fusion& /*fusion*/) const override { return stores_bfloat16_; }
  bool KeepsStorage() const override { return pooling_.maximum; }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    const kernel::PoolingStorage storage = StorageIn(fusion);
    KernelCall call;
    call.workspace_bytes = kernel::PoolingScratchBytes(pooling_, storage);
    call.run = [pooling = pooling_, storage, strides = *FindPixelStrides(input_.spec, channel_axis_),
                input = input_.input, channel_axis = channel_axis_](const RunContext& c) {
      kernel::PoolChannelsLast(pooling, storage, c.inputs[input].data, strides, c.outputs[0].data,
                               *FindPixelStrides(c.outputs[0].spec, channel_axis), c.workspace);
    };
    return call;
  }

 private:
  kernel::PoolingStorage StorageIn(const Fusion& fusion) const {
    const Storage input = fusion.InputStorage(input_.input);
    kernel::PoolingStorage storage;
    storage.input_type = input.type;
    storage.input = ByteGridOf(input);
    storage.result_type = fusion.result.type;
    storage.result = fusion.result.grid;
    if (storage.result_type == RuntimeDataType::kTypeUInt8) storage.result = ByteGrid(*storage.result);
    return storage;
  }

  kernel::ChannelsLastPooling pooling_;
  TensorArgument input_;
  int64_t channel_axis_;
  bool stores_bfloat16_;
};

}  // namespace

std::optional<OperationPlan> PlanChannelsLastPool(const SpatialInput& spatial, kernel::ChannelsLastPooling pooling,
                                                  const PlanningContext& context) {
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
  plan.computation = std::make_shared<const ChannelsLastPool>(std::move(pooling), spatial.input, channel_axis, context);
  return plan;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/sampling/channels_last_resize.hpp"

#include <algorithm>

#include "kernel/sampling/channels_last_resize.hpp"
#include "operation/computation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

/// Resizing of channels-last float images; the result is channels-last, too. If each element of the result is an
/// element of the input, elements are copied in any stored form.
class ChannelsLastResize : public Computation {
 public:
  ChannelsLastResize(std::array<kernel::ResizeAxis<float>, 3> axes, const SpatialInput& spatial)
      : axes_(std::move(axes)),
        channel_axis_(static_cast<int64_t>(spatial.leading.size()) - 1),
        batch_(channel_axis_ == 1 ? spatial.leading.front() : 1),
        channels_(spatial.leading.back()),
        input_(spatial.input.input),
        strides_(*FindPixelStrides(spatial.input.spec, channel_axis_)) {}

  bool Reads(RuntimeDataType stored, int /*input*/, const Fusion& fusion) const override {
    return Writes(stored, fusion);
  }
  bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const override { return KeepsStorage(); }
  bool KeepsStorage() const override {
    return std::all_of(axes_.begin(), axes_.end(), [](const auto& axis) { return axis.taps == 1; });
  }
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    return fusion.result.type == RuntimeDataType::kTypeFloat32
               ? CallOn<float>(1)
               : CallOn<uint8_t>(static_cast<int64_t>(ElementBytes(fusion.result.type)));
  }

 private:
  /// The call on elements that consist of `parts` numbers each.
  template <class T>
  KernelCall CallOn(int64_t parts) const {
    KernelCall call;
    const auto strides_of = [parts](const PixelStrides& s) { return PixelStrides{s.pixel * parts, s.image * parts}; };
    call.run = [axes = axes_, batch = batch_, channels = channels_ * parts, strides = strides_of(strides_),
                input = input_, channel_axis = channel_axis_, strides_of](const RunContext& c) {
      kernel::ResizeChannelsLast(axes, batch, channels, c.inputs[input].as<T>(), strides, c.outputs[0].as<T>(),
                                 strides_of(*FindPixelStrides(c.outputs[0].spec, channel_axis)));
    };
    return call;
  }

  std::array<kernel::ResizeAxis<float>, 3> axes_;
  int64_t channel_axis_;
  int64_t batch_;
  int64_t channels_;
  int input_;
  PixelStrides strides_;
};

}  // namespace

std::optional<OperationPlan> PlanChannelsLastResize(const UpsampleArguments& read) {
  const SpatialInput& spatial = read.spatial;
  const TensorSpec& spec = spatial.input.spec;
  if (spec.type != RuntimeDataType::kTypeFloat32 || spec.contiguous() || read.area) return {};
  const auto channel_axis = static_cast<int64_t>(spatial.leading.size()) - 1;
  if (!FindPixelStrides(spec, channel_axis)) return {};
  const AxisOrder order = ChannelsLastOrder(spec.rank(), channel_axis);
  OperationPlan plan;
  plan.outputs = {OutputPlan::NewWithGaps(OrderedSpec(spec.type, spatial.OutputShape(read.extents), order))};
  plan.computation = std::make_shared<const ChannelsLastResize>(MakeResizeAxes<float>(read), spatial);
  return plan;
}

}  // namespace kuiper_infer

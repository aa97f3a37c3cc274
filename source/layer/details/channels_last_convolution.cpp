// SPDX-License-Identifier: MIT
#include "layer/details/channels_last_convolution.hpp"

#include <algorithm>

#include "kernel/channels_last.hpp"
#include "kernel/convolution/choose_method.hpp"
#include "layer/details/method_choice.hpp"
#include "layer/details/outer_taps.hpp"
#include "layer/details/packed_weight.hpp"
#include "layer/details/strided_operand.hpp"
#include "shape/layout.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

/// Steps along the axes; where pixels are evenly spaced, those that axes of extent 1 would have.
kernel::ImageSteps ReadSteps(const TensorSpec& spec, int64_t channel_axis) {
  const auto step = [&](int64_t axis) { return axis >= 0 ? spec.strides[static_cast<std::size_t>(axis)] : 0; };
  const int64_t rank = spec.rank();
  kernel::ImageSteps steps;
  steps.image = channel_axis == 1 ? step(0) : 0;
  steps.channel = step(channel_axis);
  steps.pixel = step(rank - 1);
  if (rank - channel_axis > 2) steps.row = step(rank - 2);
  if (rank - channel_axis > 3) steps.plane = step(rank - 3);
  if (const auto pixels = FindPixelSteps(spec, channel_axis)) {
    steps.image = pixels->image;
    steps.pixel = pixels->pixel;
    steps.row = pixels->pixel * spec.shape.back();
    steps.channel = 1;
  }
  return steps;
}

/// Whether an array is one factor for each channel of each image, side by side.
bool IsChannelFactor(const TensorSpec& factor, const TensorSpec& image, int64_t channel_axis) {
  Shape shape = image.shape;
  std::fill(shape.begin() + channel_axis + 1, shape.end(), 1);
  return factor.shape == shape && factor.contiguous();
}

}  // namespace

std::optional<OperationPlan> PlanChannelsLastConvolution(const ConvolutionArguments& given) {
  const ConvolutionArguments read = given.weight.is_constant() ? WithoutOuterTaps(given) : given;
  const kernel::ConvolutionGeometry& geometry = read.geometry;
  const RuntimeDataType type = read.input.spec.type;
  // A plan whose input is known already runs only once.
  if (type != RuntimeDataType::kTypeFloat32 || read.input.is_constant()) return {};
  if (read.bias != nullptr && !read.bias->spec.contiguous()) return {};
  const int64_t channel_axis = read.batched ? 1 : 0;
  const bool channels_last = !read.input.spec.contiguous() && FindPixelSteps(read.input.spec, channel_axis);
  if (!kernel::SuitsChannelsLast(geometry, channels_last)) return {};

  OperationPlan plan;
  const AxisOrder order = ChannelsLastOrder(read.input.spec.rank(), channel_axis);
  kernel::ImageSteps steps = ReadSteps(read.input.spec, channel_axis);
  const bool padded = !read.padded_shape.empty();
  const bool ready = !padded && FindPixelSteps(read.input.spec, channel_axis).has_value();
  const kernel::ConvolutionMethod& method = *kernel::ChooseMethod(geometry, ready || padded, CurrentMethodChoice());
  const bool copied = padded || !(ready || method.reads_any_order);
  const StridedOperand input = read.Input(order, !copied, plan.workspace_bytes);
  if (copied) steps = ReadSteps(input.used, channel_axis);
  const auto convolution = kernel::PlanChannelsLast(geometry, steps, MaxThreads(), method);
  const auto packed = PackConvolutionWeight(read.weight, convolution);
  if (packed == nullptr) return {};
  const int64_t workspace = plan.workspace_bytes;
  plan.workspace_bytes = workspace + convolution.workspace_bytes;
  plan.multiply_adds = geometry.multiply_adds();
  plan.method = std::string(method.name) + (input.copy_offset >= 0 ? ", input copied" : "");
  const TensorSpec output = OrderedSpec(type, ConvolutionOutputShape(read, geometry.grid.positions), order);
  plan.outputs = {OutputPlan::New(output)};

  plan.strided_output = true;
  const int bias = read.bias != nullptr ? read.bias->input : -1;
  const TensorSpec image = read.input.spec;
  const bool scales = method.takes_factors && !copied;
  plan.run_fused = [=](const Fusion& fusion) -> std::function<void(const RunContext&)> {
    if (fusion.factor >= 0 && !(scales && IsChannelFactor(fusion.factor_spec, image, channel_axis))) return nullptr;
    if (!CanAdd(fusion, channel_axis)) return nullptr;
    return [=](const RunContext& c) {
      kernel::ChannelsLastArrays arrays;
      arrays.input = static_cast<const float*>(OperandData(input, c));
      if (fusion.factor >= 0) arrays.factors = c.inputs[fusion.factor].as<float>();
      arrays.weight = packed->data();
      arrays.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
      SetResult(c, fusion, channel_axis, arrays);
      arrays.workspace = c.workspace + workspace;
      kernel::ConvolveChannelsLast(convolution, arrays);
    };
  };
  plan.run = plan.run_fused({});
  if (!copied) plan.stages = {{convolution, {packed, packed->data()}, read.input.input, bias, {}, channel_axis}};
  NotePacked(read.weight, {packed}, plan.packed_inputs);
  return plan;
}

bool CanAdd(const Fusion& fusion, int64_t channel_axis) {
  return fusion.addend < 0 || FindPixelSteps(fusion.addend_spec, channel_axis).has_value();
}

void SetResult(const RunContext& c, const Fusion& fusion, int64_t channel_axis, kernel::ChannelsLastArrays& arrays) {
  if (fusion.addend >= 0) {
    arrays.addend = c.inputs[fusion.addend].as<float>();
    arrays.addend_steps = *FindPixelSteps(fusion.addend_spec, channel_axis);
  }
  arrays.activation = fusion.activation;
  arrays.output = c.outputs[0].as<float>();
  arrays.output_steps = *FindPixelSteps(c.outputs[0].spec, channel_axis);
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/convolution/channels_last_convolution.hpp"

#include "kernel/convolution/channels_last.hpp"
#include "kernel/product/product_kernels.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operation/weights/quantized_weight.hpp"
#include "operators/convolution/channels_last_arrays.hpp"
#include "operators/convolution/convolution_image.hpp"
#include "operators/convolution/outer_taps.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {

Convolution::Convolution(ConvolutionArguments arguments) : arguments_(std::move(arguments)) {}

std::shared_ptr<const Convolution> Convolution::WithMethod(const Storage& input, const PlanningContext& context) const {
  auto chosen = std::make_shared<Convolution>(*this);
  chosen->choice_ = Choose(input, context);
  return chosen;
}

Convolution::Choice Convolution::Choose(const Storage& input, const PlanningContext& context) const {
  if (choice_) return *choice_;
  const bool padded = !arguments_.padded_shape.empty();
  const bool ready = !padded && FindPixelStrides(arguments_.input.spec, channel_axis()).has_value();
  kernel::MethodChoice choice = ChoiceOf(context);
  const bool integers = input.grid && FitsBytes(*input.grid) && !padded && arguments_.input.input == 0 &&
                        ChannelIntegers(arguments_.weight) != nullptr;
  Choice chosen;
  const kernel::ProductKernel* const bytes = kernel::FindInt8Kernel(context.units);
  if (integers && bytes != nullptr) {
    // Layers that are integers in the model are computed in integers without a measurement, so that results are the
    // same everywhere.
    kernel::MethodChoice in_integers = choice;
    in_integers.products = {bytes};
    chosen = {kernel::ChooseMethod(arguments_.geometry, ready, in_integers)};
  }
  if (chosen.method == nullptr) chosen = {kernel::ChooseMethod(arguments_.geometry, ready || padded, choice)};
  chosen.copies = padded || !(ready || chosen.method->reads_any_order);
  const bool any = context.StoresBFloat16() && chosen.method->stores_bfloat16;
  const int64_t most = chosen.product->MostRoundedDepth();
  const bool rounded = context.StoresBFloat16() && most > 0 && arguments_.geometry.group_depth() <= most;
  chosen.reads_bfloat16 = (any || chosen.product->RoundsToBFloat16()) && !chosen.copies;
  chosen.writes_bfloat16 = any || rounded;
  return chosen;
}

TensorSpec Convolution::output() const {
  const AxisOrder order = ChannelsLastOrder(arguments_.input.spec.rank(), channel_axis());
  return OrderedSpec(arguments_.input.spec.type, ConvolutionOutputShape(arguments_, arguments_.geometry.grid.positions),
                     order);
}

bool Convolution::CanFuse(const Fusion& fusion) const {
  if (fusion.factor >= 0) {
    const bool scales = choice_ && choice_->method->takes_factors && !choice_->copies;
    if (!scales || !IsChannelFactor(fusion.factor_spec, arguments_.input.spec, channel_axis())) return false;
  }
  if (fusion.result.grid && ChannelIntegers(arguments_.weight) == nullptr) return false;
  return CanAdd(fusion, channel_axis());
}

bool Convolution::Reads(RuntimeDataType stored, int input, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8) return InIntegers() && (input == 0 || input == fusion.residual);
  if (!choice_) return false;
  return input == arguments_.input.input ? choice_->reads_bfloat16
                                         : input == fusion.residual && choice_->writes_bfloat16;
}

bool Convolution::Writes(RuntimeDataType stored, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8)
    return InIntegers() && fusion.result.grid && FitsBytes(*fusion.result.grid);
  return choice_ && choice_->writes_bfloat16 && !fusion.result.grid;
}

bool Convolution::PrefersBFloat16(int input, const Fusion& fusion) const {
  return Reads(RuntimeDataType::kTypeBFloat16, input, fusion);
}

std::optional<kernel::ChannelsLastConvolution> Convolution::InPlace(const PlanningContext& context) const {
  const Choice choice = Choose({}, context);
  if (choice.copies) return std::nullopt;
  return kernel::ScheduleChannelsLast(arguments_.geometry, ImageStridesOf(arguments_.input.spec, channel_axis()),
                                      context.threads, choice);
}

KernelCall Convolution::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  const Choice choice = Choose({}, context);
  KernelCall call;
  const ConvolutionImage image(arguments_, fusion.InputStorage(arguments_.input.input), choice, choice.copies,
                               call.workspace_bytes);
  const auto convolution = kernel::ScheduleChannelsLast(
      arguments_.geometry, ImageStridesOf(image.spec(), channel_axis()), context.threads, choice);
  const auto packed = PackConvolutionWeight(context, arguments_.weight, convolution);
  NotePacked(arguments_.weight, {packed}, call.packed_inputs);
  call.multiply_adds = arguments_.geometry.multiply_adds();
  call.method = choice.Name() + (choice.copies ? ", input copied" : "");
  const int64_t workspace = call.workspace_bytes;
  call.workspace_bytes += convolution.workspace_bytes;
  kernel::Int8Numbers numbers;
  numbers.input = image.grid();
  numbers.residual = ByteGridOf(fusion.InputStorage(fusion.residual));
  numbers.output = ByteGridOf(fusion.result);
  call.run = [=, in_integers = choice.in_integers(), bias = arguments_.bias_input(),
              channel_axis = channel_axis()](const RunContext& c) {
    kernel::ChannelsLastArrays arrays;
    kernel::Int8Numbers scaled = numbers;
    if (in_integers) {
      scaled.weight_scales = packed->parameters.data<float>();
      arrays.int8 = &scaled;
    }
    arrays.input = image.Data(c);
    arrays.input_type = image.type();
    if (fusion.factor >= 0) arrays.factors = c.inputs[fusion.factor].as<float>();
    arrays.weight = packed->packed.raw();
    arrays.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    SetResult(c, fusion, channel_axis, arrays);
    arrays.workspace = c.workspace + workspace;
    kernel::ConvolveChannelsLast(convolution, arrays);
    if (fusion.result.grid && fusion.result.type == RuntimeDataType::kTypeFloat32) {
      RoundResult(*fusion.result.grid, convolution.geometry, arrays.output_strides, c.outputs[0].as<float>());
    }
  };
  return call;
}

std::optional<OperationPlan> PlanChannelsLastConvolution(const ConvolutionArguments& given,
                                                         const PlanningContext& context) {
  const TensorSpec& image = given.input.spec;
  // A plan whose input is known already runs only once.
  if (image.type != RuntimeDataType::kTypeFloat32 || given.input.is_constant()) return {};
  if (!CanPack(context, given.weight)) return {};
  if (given.bias.has_value() && !given.bias->spec.contiguous()) return {};
  const auto convolution = std::make_shared<const Convolution>(WithoutOuterTaps(given));
  const bool channels_last = !image.contiguous() && FindPixelStrides(image, convolution->channel_axis());
  if (!kernel::SuitsChannelsLast(convolution->arguments().geometry, channels_last, context.units)) return {};
  OperationPlan plan;
  plan.outputs = {OutputPlan::NewWithGaps(convolution->output())};
  plan.computation = convolution;
  return plan;
}

}  // namespace kuiper_infer

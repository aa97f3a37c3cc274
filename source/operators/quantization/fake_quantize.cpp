// SPDX-License-Identifier: MIT
// Rounding to a grid whose bounds the model gives: what quantisation-aware training leaves.
#include <cmath>
#include <string>

#include "operation/views.hpp"
#include "operators/quantization/channel_plan.hpp"
#include "operators/quantization/grid_rounding.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

void RequireFloat32(const Arguments& arguments) {
  const TensorSpec& spec = arguments.Tensor("input").spec;
  arguments.Require(spec.type == RuntimeDataType::kTypeFloat32,
                    std::string("input is ") + TypeName(spec.type) + ", expected float32");
}

/// The grid of one scale and one zero point; none if they are computed.
std::optional<kernel::QuantizationGrid> KnownGrid(const Arguments& arguments) {
  if (HasChannels(arguments)) return {};
  const std::optional<double> scale = arguments.Tensor("scale").known_number();
  const std::optional<double> zero = arguments.Tensor("zero_point").known_number();
  if (!scale || !zero) return {};
  arguments.Require(static_cast<float>(*scale) > 0 && std::isfinite(static_cast<float>(*scale)),
                    "scale is " + NumberString(*scale) + ", expected a positive float32 number");
  const int64_t least = arguments.Int("quant_min");
  const int64_t most = arguments.Int("quant_max");
  arguments.Require(
      *zero == std::floor(*zero) && *zero >= static_cast<double>(least) && *zero <= static_cast<double>(most),
      "zero_point is " + NumberString(*zero) + ", expected an integer from quant_min " + std::to_string(least) +
          " to quant_max " + std::to_string(most));
  return kernel::QuantizationGrid{static_cast<float>(*scale), static_cast<int32_t>(*zero), static_cast<int32_t>(least),
                                  static_cast<int32_t>(most)};
}

TensorArgument ApplyRounding(Composition& composition, const ChannelParameters& parameters) {
  return ApplyChannels(composition, parameters, composition.outer().Tensor("input"), RuntimeDataType::kTypeFloat32,
                       [](const kernel::ChannelGrids& grids, const void* from, void* to) {
                         kernel::RoundChannels(grids, static_cast<const float*>(from), static_cast<float*>(to));
                       });
}

OperationPlan PlanRounding(const Arguments& arguments) {
  RequireFloat32(arguments);
  if (const auto grid = KnownGrid(arguments)) return PlanGridRounding(arguments.Tensor("input"), *grid);
  Composition composition(arguments);
  const ChannelParameters parameters = ReadChannelParameters(composition, HasChannels(arguments));
  return composition.Finish({ApplyRounding(composition, parameters)});
}

/// Plans the rounded array and the mask of the elements that lie within the bounds.
OperationPlan PlanRoundingAndMask(const Arguments& arguments) {
  if (arguments.output_count() == 1) return PlanRounding(arguments);
  RequireFloat32(arguments);
  KnownGrid(arguments);  // refuses wrong numbers
  Composition composition(arguments);
  const ChannelParameters parameters = ReadChannelParameters(composition, HasChannels(arguments));
  const TensorArgument inside =
      ApplyChannels(composition, parameters, arguments.Tensor("input"), RuntimeDataType::kTypeBool,
                    [](const kernel::ChannelGrids& grids, const void* from, void* to) {
                      kernel::InsideChannels(grids, static_cast<const float*>(from), static_cast<bool*>(to));
                    });
  return composition.Finish({ApplyRounding(composition, parameters), inside});
}

/// Plans the rounding if `fake_quant_enabled` is 1, and otherwise the array itself.
OperationPlan PlanSwitched(const Arguments& arguments) {
  OperationPlan later;
  later.data_dependent = true;
  const TensorArgument& enabled = arguments.Tensor("fake_quant_enabled");
  if (!enabled.is_constant()) return later;
  if (enabled.known_number() != 0.0) return PlanRoundingAndMask(arguments);
  OperationPlan plan = PlanForward(Argument{arguments.Tensor("input")});
  if (arguments.output_count() > 1) {
    const Shape& shape = arguments.Tensor("input").spec.shape;
    plan.outputs.push_back(OutputPlan::Known(ArrayFromNumber(true).AsStrided(shape, Strides(shape.size(), 0))));
  }
  return plan;
}

}  // namespace

void RegisterFakeQuantize(OperationTable& table) {
  const std::string grid = "Tensor input|self, Tensor scale|scales, Tensor zero_point|zero_points, ";
  const std::string bounds = "int quant_min, int quant_max";
  const InputLayout strided = InputLayout::kStridedFirst;
  table.Add({"torch.fake_quantize_per_tensor_affine", "aten::fake_quantize_per_tensor_affine"}, grid + bounds,
            PlanRounding, strided);
  table.Add({"aten::fake_quantize_per_tensor_affine_cachemask"}, grid + bounds, PlanRoundingAndMask, strided);
  table.Add({"torch.fake_quantize_per_channel_affine", "aten::fake_quantize_per_channel_affine"},
            grid + "int axis, " + bounds, PlanRounding);
  table.Add({"aten::fake_quantize_per_channel_affine_cachemask"}, grid + "int axis, " + bounds, PlanRoundingAndMask);
  table.Add({"aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"},
            grid + "Tensor fake_quant_enabled, " + bounds, PlanSwitched, strided);
}

}  // namespace kuiper_infer

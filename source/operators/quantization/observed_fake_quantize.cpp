// SPDX-License-Identifier: MIT
// Rounding to a grid that follows from the extremes which an observer has found.
#include <string>

#include "kernel/quantization/choose_grid.hpp"
#include "operation/composition.hpp"
#include "operation/views.hpp"
#include "operators/quantization/grid_rounding.hpp"

namespace kuiper_infer {
namespace {

NdArray Numbers(const Arguments& arguments, const char* name, int64_t count) {
  const TensorArgument& given = arguments.Tensor(name);
  arguments.Require(given.spec.size() == count, std::string(name) + " is " + ShapeString(given.spec.shape) +
                                                    ", expected " + std::to_string(count) + " numbers");
  return given.values().To(RuntimeDataType::kTypeFloat32).Contiguous();
}

/// Plans the rounding of all elements to one grid or, with per_row_fake_quant, of each index of ch_axis to its own.
OperationPlan PlanObserved(const Arguments& arguments) {
  OperationPlan plan;
  for (const char* name : {"observer_on", "fake_quant_on", "running_min", "running_max"}) {
    plan.data_dependent = plan.data_dependent || !arguments.Tensor(name).is_constant();
  }
  if (plan.data_dependent) return plan;
  if (arguments.Tensor("observer_on").known_number() != 0.0) {
    arguments.Fail(ErrorCode::kUnsupported,
                   "observer_on is not 0: the model would change its extremes in each run, expected evaluation mode");
  }
  const TensorArgument& input = arguments.Tensor("input");
  if (arguments.Tensor("fake_quant_on").known_number() == 0.0) return PlanForward(Argument{input});
  arguments.Require(input.spec.type == RuntimeDataType::kTypeFloat32,
                    std::string("input is ") + TypeName(input.spec.type) + ", expected float32");
  const int64_t least = arguments.Int("quant_min");
  const int64_t most = arguments.Int("quant_max");
  arguments.Require(least < most, "quant_min is " + std::to_string(least) + " and quant_max " + std::to_string(most) +
                                      ", expected ascending numbers");
  const bool by_row = arguments.Bool("per_row_fake_quant");
  const int64_t axis = by_row ? arguments.Axis("ch_axis", input.spec.rank()) : 0;
  const int64_t count = by_row && input.spec.rank() > 0 ? input.spec.shape[static_cast<std::size_t>(axis)] : 1;
  const NdArray low = Numbers(arguments, "running_min", count);
  const NdArray high = Numbers(arguments, "running_max", count);
  NdArray scales(RuntimeDataType::kTypeFloat32, {count});
  NdArray zero_points(RuntimeDataType::kTypeInt32, {count});
  for (int64_t i = 0; i < count; ++i) {
    const kernel::QuantizationGrid grid =
        kernel::ChooseGrid(low.data<float>()[i], high.data<float>()[i], static_cast<int32_t>(least),
                           static_cast<int32_t>(most), arguments.Bool("symmetric_quant"));
    if (!by_row) return PlanGridRounding(input, grid);
    scales.data<float>()[i] = grid.scale;
    zero_points.data<int32_t>()[i] = grid.zero_point;
  }
  Composition composition(arguments);
  return composition.Finish(
      {composition.Call("aten::fake_quantize_per_channel_affine", {{"input", input},
                                                                   {"scale", composition.Constant(scales)},
                                                                   {"zero_point", composition.Constant(zero_points)},
                                                                   {"axis", axis},
                                                                   {"quant_min", least},
                                                                   {"quant_max", most}})});
}

}  // namespace

void RegisterObservedFakeQuantize(OperationTable& table) {
  table.Add({"torch.fused_moving_avg_obs_fake_quant", "aten::fused_moving_avg_obs_fake_quant"},
            "Tensor input|self, Tensor observer_on, Tensor fake_quant_on, Tensor running_min, Tensor running_max, "
            "Tensor scale, Tensor zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, "
            "bool per_row_fake_quant=False, bool symmetric_quant=False",
            PlanObserved, InputLayout::kStridedFirst);
}

}  // namespace kuiper_infer

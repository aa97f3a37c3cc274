// SPDX-License-Identifier: MIT
#include "operators/elementwise/formula.hpp"
#include "operators/quantization/grid_rounding.hpp"
#include "operators/quantization/quantized_result.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanDequantize(const Arguments& arguments) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Forward(arguments.Get("input"))};
  return plan;
}

/// Plans a rounding to a grid. Scale and zero point may be numbers or arrays of one element; computed ones are known
/// only while running.
template <bool kDtypeSays>
OperationPlan PlanQuantize(const Arguments& arguments) {
  const TensorArgument input = arguments.Tensor("input");
  const TensorSpec& spec = input.spec;
  arguments.Require(spec.type == RuntimeDataType::kTypeFloat32,
                    std::string("input is ") + TypeName(spec.type) + ", expected float32");
  const TensorArgument& scale = arguments.Tensor("scale");
  const TensorArgument& zero_point = arguments.Tensor("zero_point");
  OperationPlan plan;
  plan.data_dependent = !scale.is_constant() || !zero_point.is_constant();
  if (plan.data_dependent) return plan;
  arguments.Require(scale.known_number() && zero_point.known_number(),
                    "scale and zero_point are arrays, expected single numbers");
  const kernel::QuantizationGrid grid =
      ReadGrid(arguments, *scale.known_number(), *zero_point.known_number(), kDtypeSays);
  return PlanGridRounding(input, grid);
}

OperationPlan PlanQuantizedCat(const Arguments& arguments) {
  return PlanRounded(arguments, PlanAs(arguments, "torch.cat"), false);
}

/// Plans input + other, or input * other, rounded to a grid.
template <bool kSum, bool kRelu>
OperationPlan PlanArithmetic(const Arguments& arguments) {
  const TensorArgument& left = arguments.Tensor("input");
  const TensorArgument& right = arguments.Tensor("other");
  arguments.Require(left.spec.type == right.spec.type, std::string("inputs are ") + TypeName(left.spec.type) + " and " +
                                                           TypeName(right.spec.type) + ", expected one element type");
  return PlanRounded(arguments, PlanFormula(arguments, kSum ? "add(input, other)" : "mul(input, other)"), kRelu);
}

}  // namespace

void RegisterQuantized(OperationTable& table) {
  table.Add({"nn.quantized.Quantize"}, "Tensor input, Tensor scale, Tensor zero_point, any dtype=None",
            PlanQuantize<false>, InputLayout::kStridedFirst);
  table.Add({"torch.quantize_per_tensor", "aten::quantize_per_tensor"},
            "Tensor input|self, Tensor scale|input_scale, Tensor zero_point|input_zero_point, any dtype",
            PlanQuantize<true>, InputLayout::kStridedFirst);
  table.Add({"nn.quantized.DeQuantize", "torch.dequantize", "Tensor.dequantize", "aten::dequantize"},
            "Tensor input|self|qtensor", PlanDequantize, InputLayout::kStrided, Preserves({"input"}));
  table.Add({"nn.quantized.cat"}, "Tensor[] tensors, int dim=0, float scale, float zero_point", PlanQuantizedCat);
  const std::string custom = "pnnx.custom_op.quantized.";
  const std::string pair = "Tensor input|arg_0, Tensor other|arg_1, float scale|arg_2, float zero_point|arg_3";
  table.Add({custom + "add"}, pair, PlanArithmetic<true, false>);
  table.Add({custom + "add_relu"}, pair, PlanArithmetic<true, true>);
  table.Add({custom + "mul"}, pair, PlanArithmetic<false, false>);
  table.Add({custom + "mul_relu"}, pair, PlanArithmetic<false, true>);
  table.Add({custom + "cat"}, "Tensor[] tensors|arg_0, int dim|arg_1, float scale|arg_2, float zero_point|arg_3",
            PlanQuantizedCat);
}

}  // namespace kuiper_infer

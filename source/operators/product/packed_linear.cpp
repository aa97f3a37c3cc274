// SPDX-License-Identifier: MIT
#include "operators/product/packed_linear.hpp"

#include "kernel/product/weight_product.hpp"
#include "operators/product/int8_linear.hpp"
#include "operators/quantization/quantized.hpp"

namespace kuiper_infer {

bool SuitsPackedLinear(const TensorArgument& input, const TensorArgument* bias, const Shape& output) {
  return !input.is_constant() &&  // a plan whose input is known already runs only once
         input.spec.type == RuntimeDataType::kTypeFloat32 && input.spec.contiguous() && input.spec.size() > 0 &&
         (bias == nullptr ||
          (bias->spec.type == input.spec.type && bias->spec.shape == Shape{output.back()} && bias->spec.contiguous()));
}

WeightProduct::WeightProduct(TensorArgument input, TensorArgument weight, WeightOrder order, const TensorArgument* bias)
    : input_(std::move(input)), weight_(std::move(weight)), order_(order), bias_(bias != nullptr ? bias->input : -1) {}

bool WeightProduct::CanFuse(const Fusion& fusion) const {
  if (fusion.result.grid && ChannelIntegers(weight_) == nullptr) return false;
  return fusion.factor < 0 && (fusion.addend < 0 || fusion.addend_spec.contiguous());
}

bool WeightProduct::InIntegers(const Fusion& fusion) const {
  return order_ == WeightOrder::kLinear && input_.input == 0 && SuitsInt8Linear(weight_, fusion.input);
}

bool WeightProduct::ReadsBytes(int input, const Fusion& fusion) const {
  return InIntegers(fusion) && (input == 0 || input == fusion.addend);
}

bool WeightProduct::WritesBytes(const Fusion& fusion) const {
  return InIntegers(fusion) && fusion.result.grid && FitsBytes(*fusion.result.grid);
}

KernelCall WeightProduct::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  if (InIntegers(fusion)) return MakeInt8Linear(input_, weight_, bias_, fusion, context);
  const bool linear = order_ == WeightOrder::kLinear;
  const int64_t depth = input_.spec.shape.back();
  const int64_t rows = input_.spec.size() / depth;
  const int64_t columns = weight_.spec.shape[linear ? 0 : 1];
  const auto packed =
      linear ? PackLinearWeight(context, weight_, LinearWeightOrder(context, weight_, rows, columns, depth))
             : PackMatrixWeight(context, weight_, ProductType(context, rows, columns, depth));
  KernelCall call;
  call.method = ProductMethod(packed->type());
  call.multiply_adds = static_cast<double>(rows * columns) * static_cast<double>(depth);
  call.run = [=, input = input_.input, bias = bias_](const RunContext& c) {
    kernel::WeightProduct product{rows, columns, depth};
    product.a = c.inputs[input].as<float>();
    product.lda = depth;
    packed->SetIn(product);
    product.c = c.outputs[0].as<float>();
    product.ldc = columns;
    product.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    product.addend = fusion.addend >= 0 ? c.inputs[fusion.addend].as<float>() : nullptr;
    product.addend_ld = columns;
    product.activation = fusion.activation;
    kernel::MultiplyByWeight(product);
    if (fusion.result.grid) kernel::RoundToGrid(*fusion.result.grid, rows * columns, product.c, product.c);
  };
  NotePacked(weight_, {packed}, call.packed_inputs);
  return call;
}

OperationPlan PlanWeightProduct(const TensorArgument& input, const TensorArgument& weight, WeightOrder order,
                                const TensorArgument* bias, const Shape& output) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, output)};
  plan.computation = std::make_shared<const WeightProduct>(input, weight, order, bias);
  return plan;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/product/packed_linear.hpp"

#include "kernel/product/bfloat16/product.hpp"
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

WeightProduct::WeightProduct(TensorArgument input, TensorArgument weight, WeightOrder order, const TensorArgument* bias,
                             const PlanningContext& context)
    : input_(std::move(input)), weight_(std::move(weight)), order_(order), bias_(bias != nullptr ? bias->input : -1) {
  packed_order_ = order_ == WeightOrder::kLinear
                      ? &LinearWeightOrder(context, weight_, rows(), columns(), depth())
                      : &kernel::MatrixPanelOrderOf(ProductType(context, rows(), columns(), depth()));
}

bool WeightProduct::CanFuse(const Fusion& fusion) const {
  if (fusion.result.grid && ChannelIntegers(weight_) == nullptr) return false;
  return fusion.factor < 0 && (fusion.addend < 0 || fusion.addend_spec.contiguous());
}

bool WeightProduct::InIntegers(const Fusion& fusion) const {
  return order_ == WeightOrder::kLinear && input_.input == 0 && SuitsInt8Linear(weight_, fusion.InputStorage(0));
}

bool WeightProduct::Reads(RuntimeDataType stored, int input, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8) return InIntegers(fusion) && (input == 0 || input == fusion.addend);
  return Rounds() && input == input_.input;
}

bool WeightProduct::Writes(RuntimeDataType stored, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8) {
    return InIntegers(fusion) && fusion.result.grid && FitsBytes(*fusion.result.grid);
  }
  return Rounds() && !fusion.result.grid && depth() <= kernel::kMostRoundedDepth;
}

KernelCall WeightProduct::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  if (InIntegers(fusion)) return MakeInt8Linear(input_, weight_, bias_, fusion, context);
  const auto packed = order_ == WeightOrder::kLinear ? PackLinearWeight(context, weight_, *packed_order_)
                                                     : PackMatrixWeight(context, weight_, packed_order_->type);
  KernelCall call;
  call.method = ProductMethod(packed->type());
  call.multiply_adds = static_cast<double>(rows() * columns()) * static_cast<double>(depth());
  kernel::WeightProduct product{rows(), columns(), depth()};
  product.lda = product.depth;
  product.ldc = product.addend_ld = product.columns;
  product.activation = fusion.activation;
  product.a_type = fusion.InputStorage(input_.input).type;
  product.c_type = fusion.result.type;
  call.run = [=, input = input_.input, bias = bias_](const RunContext& c) {
    kernel::WeightProduct now = product;
    now.a = c.inputs[input].data;
    packed->SetIn(now);
    now.c = c.outputs[0].data;
    now.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    now.addend = fusion.addend >= 0 ? c.inputs[fusion.addend].as<float>() : nullptr;
    kernel::MultiplyByWeight(now);
    if (fusion.result.grid) {
      float* const results = c.outputs[0].as<float>();
      kernel::RoundToGrid(*fusion.result.grid, now.rows * now.columns, results, results);
    }
  };
  NotePacked(weight_, {packed}, call.packed_inputs);
  return call;
}

OperationPlan PlanWeightProduct(const TensorArgument& input, const TensorArgument& weight, WeightOrder order,
                                const TensorArgument* bias, const Shape& output, const PlanningContext& context) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, output)};
  plan.computation = std::make_shared<const WeightProduct>(input, weight, order, bias, context);
  return plan;
}

}  // namespace kuiper_infer

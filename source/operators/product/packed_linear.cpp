// SPDX-License-Identifier: MIT
#include "operators/product/packed_linear.hpp"

#include "kernel/product/weight_product.hpp"

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
  return fusion.factor < 0 && (fusion.addend < 0 || fusion.addend_spec.contiguous());
}

KernelCall WeightProduct::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  const bool linear = order_ == WeightOrder::kLinear;
  const int64_t depth = input_.spec.shape.back();
  const int64_t rows = input_.spec.size() / depth;
  const int64_t columns = weight_.spec.shape[linear ? 0 : 1];
  const int pieces = ProductPieces(context, rows, columns, depth);
  const auto packed = linear ? PackLinearWeight(context, weight_, pieces) : PackMatrixWeight(context, weight_, pieces);
  KernelCall call;
  call.method = ProductMethod(pieces);
  call.multiply_adds = static_cast<double>(rows * columns) * static_cast<double>(depth);
  call.run = [=, input = input_.input, bias = bias_](const RunContext& c) {
    kernel::WeightProduct product{rows, columns, depth};
    product.a = c.inputs[input].as<float>();
    product.lda = depth;
    product.weight = packed->data();
    product.weight_type = packed->type();
    product.pieces = packed->pieces();
    product.c = c.outputs[0].as<float>();
    product.ldc = columns;
    product.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    product.addend = fusion.addend >= 0 ? c.inputs[fusion.addend].as<float>() : nullptr;
    product.addend_ld = columns;
    product.activation = fusion.activation;
    kernel::MultiplyByWeight(product);
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

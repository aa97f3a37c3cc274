// SPDX-License-Identifier: MIT
#include "layer/details/packed_linear.hpp"

#include "kernel/weight_product.hpp"

namespace kuiper_infer {

bool SuitsPackedLinear(const TensorArgument& input, const TensorArgument* bias, const Shape& output) {
  return !input.is_constant() &&  // a plan whose input is known already runs only once
         input.spec.type == RuntimeDataType::kTypeFloat32 && input.spec.contiguous() && input.spec.size() > 0 &&
         (bias == nullptr ||
          (bias->spec.type == input.spec.type && bias->spec.shape == Shape{output.back()} && bias->spec.contiguous()));
}

OperationPlan PlanPackedLinear(const TensorArgument& input, const TensorArgument& weight,
                               const std::shared_ptr<const PackedWeight>& packed, const TensorArgument* bias,
                               const Shape& output) {
  const int64_t depth = input.spec.shape.back();
  const int64_t rows = input.spec.size() / depth;
  const int64_t columns = output.back();
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, output)};
  plan.multiply_adds = static_cast<double>(rows * columns) * static_cast<double>(depth);
  const int source = input.input;
  const int added = bias != nullptr ? bias->input : -1;
  plan.run_fused = [=](const Fusion& fusion) -> std::function<void(const RunContext&)> {
    if (fusion.factor >= 0 || (fusion.addend >= 0 && !fusion.addend_spec.contiguous())) return nullptr;
    return [=](const RunContext& c) {
      kernel::WeightProduct product{rows, columns, depth};
      product.a = c.inputs[source].as<float>();
      product.lda = depth;
      product.weight = packed->data();
      product.c = c.outputs[0].as<float>();
      product.ldc = columns;
      product.bias = added >= 0 ? c.inputs[added].as<float>() : nullptr;
      product.addend = fusion.addend >= 0 ? c.inputs[fusion.addend].as<float>() : nullptr;
      product.addend_ld = columns;
      product.activation = fusion.activation;
      kernel::MultiplyByWeight(product);
    };
  };
  plan.run = plan.run_fused({});
  NotePacked(weight, {packed}, plan.packed_inputs);
  return plan;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/product/weight_product.hpp"

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/product.hpp"
#include "operation/quantized_weight.hpp"

namespace kuiper_infer {

bool SuitsWeightProduct(const TensorArgument& input, const TensorArgument* bias, const Shape& output) {
  return !input.is_constant() &&  // a plan whose input is known already runs only once
         input.spec.type == RuntimeDataType::kTypeFloat32 && input.spec.contiguous() && input.spec.size() > 0 &&
         (bias == nullptr ||
          (bias->spec.type == input.spec.type && bias->spec.shape == Shape{output.back()} && bias->spec.contiguous()));
}

WeightProduct::WeightProduct(TensorArgument input, TensorArgument weight, kernel::Arrangement arrangement,
                             const TensorArgument* bias, const PlanningContext& context)
    : input_(std::move(input)),
      weight_(std::move(weight)),
      arrangement_(arrangement),
      bias_(bias != nullptr ? bias->input : -1) {
  ChooseKernels(context);
}

void WeightProduct::ChooseKernels(const PlanningContext& context) {
  Storage on_grid;
  on_grid.grid = kernel::QuantizationGrid();
  floats_ = linear() ? &ChooseLinear(context, weight_, rows(), columns())
                     : &ChooseFloatProduct(context, {rows(), columns(), depth()});
  bytes_ = linear() && input_.input == 0 ? &ChooseLinear(context, weight_, rows(), columns(), on_grid) : floats_;
}

WeightProduct WeightProduct::ForRuns(int64_t count, const PlanningContext& context) const {
  WeightProduct joined = *this;
  joined.input_.spec = TensorSpec(input_.spec.type, {count * rows(), depth()});
  joined.ChooseKernels(context);
  return joined;
}

const kernel::ProductKernel& WeightProduct::KernelFor(const Fusion& fusion) const {
  const Storage input = fusion.InputStorage(input_.input);
  return input.grid && FitsBytes(*input.grid) ? *bytes_ : *floats_;
}

bool WeightProduct::InIntegers(const Fusion& fusion) const {
  return KernelFor(fusion).left == RuntimeDataType::kTypeUInt8;
}

bool WeightProduct::CanFuse(const Fusion& fusion) const {
  if (fusion.result.grid && ChannelIntegers(weight_) == nullptr) return false;
  return fusion.factor < 0 && (fusion.residual < 0 || fusion.residual_spec.contiguous());
}

bool WeightProduct::Reads(RuntimeDataType stored, int input, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8) return InIntegers(fusion) && (input == 0 || input == fusion.residual);
  return floats_->RoundsToBFloat16() && (input == input_.input || input == fusion.residual);
}

bool WeightProduct::PrefersBFloat16(int input, const Fusion& /*fusion*/) const {
  return floats_->RoundsToBFloat16() && input == input_.input;
}

bool WeightProduct::Writes(RuntimeDataType stored, const Fusion& fusion) const {
  if (stored == RuntimeDataType::kTypeUInt8) {
    return InIntegers(fusion) && fusion.result.grid && FitsBytes(*fusion.result.grid);
  }
  return floats_->RoundsToBFloat16() && !fusion.result.grid && depth() <= kernel::kMostRoundedDepth;
}

KernelCall WeightProduct::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  const kernel::ProductKernel& kernel = KernelFor(fusion);
  const auto packed =
      linear() ? PackLinearWeight(context, weight_, kernel) : PackMatrixWeight(context, weight_, kernel);
  const Storage input = fusion.InputStorage(input_.input);
  const Storage residual = fusion.InputStorage(fusion.residual);
  kernel::Product product{rows(), columns(), depth()};
  product.a = {nullptr, depth(), input.type, ByteGridOf(input)};
  product.weight = packed->FactorOf(kernel);
  product.c = {nullptr, columns(), fusion.result.type, ByteGridOf(fusion.result)};
  product.epilogue.residual = {nullptr, columns(), residual.type, ByteGridOf(residual)};
  product.epilogue.activation = fusion.activation;
  KernelCall call;
  call.method = kernel.name;
  call.multiply_adds = static_cast<double>(rows() * columns()) * static_cast<double>(depth());
  call.run = [product, packed, input = input_.input, bias = bias_, residual = fusion.residual,
              result = fusion.result](const RunContext& c) {
    kernel::Product now = product;
    now.a.data = c.inputs[input].data;
    now.c.data = c.outputs[0].data;
    now.epilogue.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    now.epilogue.residual.data = residual >= 0 ? c.inputs[residual].data : nullptr;
    kernel::Multiply(now);
    if (result.grid && result.type == RuntimeDataType::kTypeFloat32) {
      float* const results = c.outputs[0].as<float>();
      kernel::RoundToGrid(*result.grid, now.rows * now.columns, results, results);
    }
  };
  call.for_runs = [one = *this, fusion](int64_t count, const PlanningContext& here) {
    return one.ForRuns(count, here).MakeCall(fusion, here);
  };
  NotePacked(weight_, {packed}, call.packed_inputs);
  return call;
}

OperationPlan PlanWeightProduct(const TensorArgument& input, const TensorArgument& weight,
                                kernel::Arrangement arrangement, const TensorArgument* bias, const Shape& output,
                                const PlanningContext& context) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, output)};
  plan.computation = std::make_shared<const WeightProduct>(input, weight, arrangement, bias, context);
  return plan;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "operators/product/weight_product.hpp"

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/product.hpp"
#include "operation/weights/quantized_weight.hpp"
#include "operators/product/rows_times_weights.hpp"

namespace kuiper_infer {

bool SuitsWeightProduct(const TensorArgument& input, const TensorArgument* bias, const Shape& output) {
  return !input.is_constant() &&  // a plan whose input is known already runs only once
         input.spec.type == RuntimeDataType::kTypeFloat32 && input.spec.contiguous() && input.spec.size() > 0 &&
         (bias == nullptr || (!output.empty() && bias->spec.type == input.spec.type &&
                              bias->spec.shape == Shape{output.back()} && bias->spec.contiguous()));
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

WeightProduct WeightProduct::ForRows(int64_t rows, const PlanningContext& context) const {
  WeightProduct other = *this;
  other.input_.spec = TensorSpec(input_.spec.type, {rows, depth()});
  other.ChooseKernels(context);
  return other;
}

bool WeightProduct::SameForRow(const WeightProduct& other) const {
  const bool weights = weight_.input == other.weight_.input && weight_.weight == other.weight_.weight &&
                       weight_.constant.raw() == other.weight_.constant.raw() && weight_.spec == other.weight_.spec;
  return weights && arrangement_ == other.arrangement_ && input_.input == other.input_.input && bias_ == other.bias_ &&
         input_.spec.type == other.input_.spec.type && depth() == other.depth();
}

WeightProduct WeightProduct::WithInputsAt(const std::vector<int>& places) const {
  WeightProduct moved = *this;
  moved.input_.input = places[static_cast<std::size_t>(input_.input)];
  moved.weight_.input = places[static_cast<std::size_t>(weight_.input)];
  if (bias_ >= 0) moved.bias_ = places[static_cast<std::size_t>(bias_)];
  return moved;
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

PackedProduct WeightProduct::Pack(const Fusion& fusion, const PlanningContext& context) const {
  const kernel::ProductKernel& kernel = KernelFor(fusion);
  const Storage input = fusion.InputStorage(input_.input);
  const Storage residual = fusion.InputStorage(fusion.residual);
  PackedProduct packed{
      {rows(), columns(), depth()},
      linear() ? PackLinearWeight(context, weight_, kernel) : PackMatrixWeight(context, weight_, kernel),
      input_.input,
      bias_,
      fusion.residual,
      fusion.result};
  kernel::Product& product = packed.product;
  product.a = {nullptr, depth(), input.type, ByteGridOf(input)};
  product.weight = packed.weight->FactorOf(kernel);
  product.c = {nullptr, columns(), fusion.result.type, ByteGridOf(fusion.result)};
  product.epilogue.residual = {nullptr, columns(), residual.type, ByteGridOf(residual)};
  product.epilogue.activation = fusion.activation;
  return packed;
}

kernel::Product PackedProduct::In(const RunContext& c, int output) const {
  kernel::Product now = product;
  now.a.data = c.inputs[input].data;
  now.c.data = c.outputs[output].data;
  now.epilogue.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
  now.epilogue.residual.data = residual >= 0 ? c.inputs[residual].data : nullptr;
  return now;
}

void PackedProduct::Round(const kernel::Product& made) const {
  if (!result.grid || result.type != RuntimeDataType::kTypeFloat32) return;
  auto* const results = static_cast<float*>(made.c.data);
  kernel::RoundToGrid(*result.grid, made.rows * made.columns, results, results);
}

void WeightProduct::NoteWeight(const PackedProduct& packed, KernelCall& call) const {
  NotePacked(weight_, {packed.weight}, call.packed_inputs);
}

KernelCall WeightProduct::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  const PackedProduct packed = Pack(fusion, context);
  KernelCall call;
  call.method = KernelFor(fusion).name;
  call.multiply_adds = multiply_adds();
  call.run = [packed](const RunContext& c) {
    const kernel::Product now = packed.In(c, 0);
    kernel::Multiply(now);
    packed.Round(now);
  };
  call.rowwise = std::make_shared<const RowsTimesWeights>(std::vector<FusedProduct>{{*this, fusion}});
  NoteWeight(packed, call);
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

// SPDX-License-Identifier: MIT
#include "operators/product/int8_linear.hpp"

#include "kernel/product/int8/product.hpp"
#include "operation/quantized_weight.hpp"
#include "operators/product/packed_weight.hpp"
#include "operators/quantization/quantized.hpp"

namespace kuiper_infer {

bool SuitsInt8Linear(const TensorArgument& weight, const Storage& input) {
  return ChannelIntegers(weight) != nullptr && input.grid && FitsBytes(*input.grid) &&
         kernel::SuitsInt8(weight.spec.shape[1]) && kernel::ComputesInIntegers();
}

KernelCall MakeInt8Linear(const TensorArgument& input, const TensorArgument& weight, int bias, const Fusion& fusion,
                          const PlanningContext& context) {
  const ProductArray rows = ProductArrayOf(fusion.InputStorage(0));
  const ProductArray addend = ProductArrayOf(fusion.InputStorage(fusion.addend));
  const ProductArray result = ProductArrayOf(fusion.result);
  kernel::Int8Product product;
  product.depth = input.spec.shape.back();
  product.rows = input.spec.size() / product.depth;
  product.columns = weight.spec.shape[0];
  product.lda = product.depth;
  product.ldc = product.addend_ld = product.columns;
  product.activation = fusion.activation;
  product.a_type = rows.type;
  product.a_grid = rows.grid;
  product.addend_type = addend.type;
  product.addend_grid = addend.grid;
  product.c_type = result.type;
  product.c_grid = result.grid;
  const auto packed = PackLinearWeight(context, weight, kernel::Int8PanelOrder());
  KernelCall call;
  call.method = "int8";
  call.multiply_adds = static_cast<double>(product.rows * product.columns) * static_cast<double>(product.depth);
  call.run = [=, scales = ChannelIntegers(weight)->scales, a = input.input](const RunContext& c) {
    kernel::Int8Product now = product;
    now.a = c.inputs[a].data;
    now.weight = packed->packed.raw();
    now.weight_scales = scales.data<float>();
    now.bias = bias >= 0 ? c.inputs[bias].as<float>() : nullptr;
    now.addend = fusion.addend >= 0 ? c.inputs[fusion.addend].data : nullptr;
    now.c = c.outputs[0].data;
    kernel::MultiplyByInt8Weight(now, UsedInt8Unit());
    if (fusion.result.grid && fusion.result.type == RuntimeDataType::kTypeFloat32) {
      float* const results = c.outputs[0].as<float>();
      kernel::RoundToGrid(*fusion.result.grid, now.rows * now.columns, results, results);
    }
  };
  NotePacked(weight, {packed}, call.packed_inputs);
  return call;
}

}  // namespace kuiper_infer

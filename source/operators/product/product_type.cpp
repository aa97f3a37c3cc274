// SPDX-License-Identifier: MIT
#include "kernel/product/bfloat16/product.hpp"
#include "kernel/product/quantized/product.hpp"
#include "operation/quantized_weight.hpp"
#include "operators/product/packed_weight.hpp"

namespace kuiper_infer {

const QuantizedWeight* ChannelIntegers(const TensorArgument& weight) {
  const QuantizedWeight* quantized = weight.weight != nullptr ? weight.weight->quantized().get() : nullptr;
  return quantized != nullptr && quantized->bits == 8 && quantized->groups() == 1 ? quantized : nullptr;
}

kernel::WeightType ProductType(const PlanningContext& context, int64_t rows, int64_t columns, int64_t depth) {
  if (context.pieces == 0 || !kernel::SuitsBFloat16(context.pieces, rows, columns, depth)) return {};
  return {RuntimeDataType::kTypeBFloat16, context.pieces};
}

const kernel::WeightOrder& LinearWeightOrder(const PlanningContext& context, const TensorArgument& weight, int64_t rows,
                                             int64_t columns, int64_t depth) {
  const auto quantized = QuantizedForm(weight);
  return quantized != nullptr ? kernel::QuantizedPanelOrder(quantized->bits)
                              : kernel::PanelOrderOf(ProductType(context, rows, columns, depth));
}

std::string ProductMethod(const kernel::WeightType& type) {
  switch (type.element) {
    case RuntimeDataType::kTypeBFloat16:
      return type.pieces == 1 ? "bfloat16" : "bfloat16x" + std::to_string(type.pieces);
    case RuntimeDataType::kTypeInt8:
      return "int8 weights";
    case RuntimeDataType::kTypeUInt8:
      return "int4 weights";
    default:
      return {};
  }
}

}  // namespace kuiper_infer

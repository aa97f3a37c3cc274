// SPDX-License-Identifier: MIT
#include "operation/quantized_weight.hpp"
#include "operators/attention/multihead_attention.hpp"
#include "operators/product/int8_linear.hpp"
#include "operators/quantization/quantized.hpp"

namespace kuiper_infer {
namespace {

void Pack(const PlanningContext& context, Projection& projection) {
  const int64_t rows = projection.source_rows.batch * projection.source_rows.length;
  const kernel::WeightOrder& order =
      LinearWeightOrder(context, projection.weight, rows, projection.rows, projection.source_rows.width);
  projection.packed = PackLinearWeight(context, projection.weight, projection.first_row, projection.rows, order);
}

void PackIntegers(const Storage& input, const PlanningContext& context, Projection& projection) {
  const kernel::WeightOrder& order = kernel::Int8PanelOrder();
  projection.packed = PackLinearWeight(context, projection.weight, projection.first_row, projection.rows, order);
  projection.integers.weight = projection.packed->packed.raw();
  projection.integers.weight_scales = ChannelIntegers(projection.weight)->scales.data<float>() + projection.first_row;
  projection.integers.a_type = RuntimeDataType::kTypeFloat32;
  projection.integers.a_grid = ByteGrid(*input.grid);
}

}  // namespace

void PackProjections(const Storage& input, const PlanningContext& context, MultiheadAttention& net,
                     std::vector<PackedInput>& notes) {
  std::vector<Projection*> inputs{&net.query};
  if (!net.stacked) inputs = {&net.query, &net.key, &net.value};
  for (Projection* projection : inputs) {
    const bool integers = projection->source == 0 && SuitsInt8Linear(projection->weight, input);
    integers ? PackIntegers(input, context, *projection) : Pack(context, *projection);
  }
  // Slices of one weight give it up together.
  if (net.stacked || net.query.weight.input != net.key.weight.input) {
    for (const Projection* projection : inputs) NotePacked(projection->weight, {projection->packed}, notes);
  } else {
    NotePacked(net.query.weight, {net.query.packed, net.key.packed, net.value.packed}, notes);
  }
  Pack(context, net.output);
  NotePacked(net.output.weight, {net.output.packed}, notes);
}

}  // namespace kuiper_infer

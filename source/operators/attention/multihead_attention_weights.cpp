// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/parameters.hpp"
#include "operation/quantized_weight.hpp"
#include "operators/attention/multihead_attention.hpp"
#include "operators/product/int8_linear.hpp"
#include "operators/quantization/quantized.hpp"

namespace kuiper_infer {
namespace {

/// The input projections: slices of one stacked weight where all sources have the same width, else three weights.
void ReadInputWeights(const Arguments& arguments, MultiheadAttention& net) {
  const int64_t e = net.width;
  const int stacked = ParameterInput(arguments, "in_proj_weight", {3 * e, e}, net.type);
  const int bias = ParameterInput(arguments, "in_proj_bias", {3 * e}, net.type);
  const bool same = net.query.source == net.key.source && net.query.source == net.value.source;
  net.stacked = same && stacked >= 0;
  const char* const names[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  Projection* const projections[] = {&net.query, &net.key, &net.value};
  for (int64_t i = 0; i < 3; ++i) {
    Projection& projection = *projections[i];
    const int64_t source_width = projection.source_rows.width;
    if (stacked >= 0) {
      arguments.Require(source_width == e, "an input has rows of " + std::to_string(source_width) +
                                               ", in_proj_weight expects " + std::to_string(e));
      projection.weight = arguments.Tensor("in_proj_weight");
      projection.first_row = i * e;
    } else {
      ParameterInput(arguments, names[i], {e, source_width}, net.type);
      projection.weight = arguments.Tensor(names[i]);
    }
    projection.rows = net.stacked && i == 0 ? 3 * e : e;
    projection.bias = bias;
    projection.bias_offset = i * e;
  }
}

void ReadOutputWeight(const Arguments& arguments, MultiheadAttention& net) {
  net.projects_context = arguments.Bool("out_proj");
  if (!net.projects_context) {
    if (arguments.OptionalTensor("out_proj.weight") == nullptr) return;
    arguments.Fail(ErrorCode::kArgument, "out_proj is False, but there is an out_proj.weight");
  }
  ParameterInput(arguments, "out_proj.weight", {net.width, net.width}, net.type);
  net.output.weight = arguments.Tensor("out_proj.weight");
  net.output.rows = net.width;
  net.output.bias = ParameterInput(arguments, "out_proj.bias", {net.width}, net.type);
}

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
  const ProductArray rows = ProductArrayOf(input);
  projection.integers.a_type = rows.type;
  projection.integers.a_grid = rows.grid;
}

/// The projections of the inputs; one stands for all three where they are stacked.
template <class Net>
auto InputProjections(Net& net) {
  return net.stacked ? std::vector{&net.query} : std::vector{&net.query, &net.key, &net.value};
}

}  // namespace

void ReadProjectionWeights(const Arguments& arguments, MultiheadAttention& net) {
  ReadInputWeights(arguments, net);
  ReadOutputWeight(arguments, net);
}

bool ProjectsInIntegers(const MultiheadAttention& net, const Storage& input) {
  const auto projections = InputProjections(net);
  return std::all_of(projections.begin(), projections.end(), [&](const Projection* projection) {
    return projection->source != 0 || SuitsInt8Linear(projection->weight, input);
  });
}

void PackProjections(const Storage& input, const PlanningContext& context, MultiheadAttention& net,
                     std::vector<PackedInput>& notes) {
  const std::vector<Projection*> inputs = InputProjections(net);
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
  if (!net.projects_context) return;
  Pack(context, net.output);
  NotePacked(net.output.weight, {net.output.packed}, notes);
}

}  // namespace kuiper_infer

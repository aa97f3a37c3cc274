// SPDX-License-Identifier: MIT
#include <algorithm>

#include "operation/parameters.hpp"
#include "operators/attention/multihead_attention.hpp"

namespace kuiper_infer {
namespace {

/// Reads the input projections: slices of one stacked weight if all sources have the same width, else three weights.
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
      arguments.Require(source_width == e, "an input has " + std::to_string(source_width) + " features, expected " +
                                               std::to_string(e) + " as in in_proj_weight");
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

const kernel::ProductKernel& ChooseKernel(const Projection& projection, const Storage& input,
                                          const PlanningContext& context) {
  const int64_t rows = projection.source_rows.batch * projection.source_rows.length;
  return ChooseLinear(context, projection.weight, rows, projection.rows, input);
}

void Pack(const Storage& input, const PlanningContext& context, Projection& projection) {
  if (!kernel::HasProductKernels(context.units)) return;
  const kernel::ProductKernel& kernel = ChooseKernel(projection, input, context);
  projection.packed = PackLinearWeight(context, projection.weight, projection.first_row, projection.rows, kernel);
  if (projection.packed == nullptr) return;
  projection.product.weight = projection.packed->FactorOf(kernel);
  projection.product.a.type = input.type;
  projection.product.a.grid = ByteGridOf(input);
}

/// Returns the projections of the inputs; a stacked projection stands for all three.
template <class Net>
auto InputProjections(Net& net) {
  return net.stacked ? std::vector{&net.query} : std::vector{&net.query, &net.key, &net.value};
}

}  // namespace

void ReadProjectionWeights(const Arguments& arguments, MultiheadAttention& net) {
  ReadInputWeights(arguments, net);
  ReadOutputWeight(arguments, net);
}

bool ProjectsBytes(const MultiheadAttention& net, const PlanningContext& context) {
  Storage input;
  input.grid = kernel::QuantizationGrid();
  const auto projections = InputProjections(net);
  return std::all_of(projections.begin(), projections.end(), [&](const Projection* projection) {
    return projection->source != 0 || ChooseKernel(*projection, input, context).left == RuntimeDataType::kTypeUInt8;
  });
}

bool ProjectsBFloat16(const MultiheadAttention& net, const PlanningContext& context) {
  if (!context.StoresBFloat16()) return false;
  const auto projections = InputProjections(net);
  return std::all_of(projections.begin(), projections.end(), [&](const Projection* projection) {
    return projection->source != 0 ||
           (CanPack(context, projection->weight) && ChooseKernel(*projection, {}, context).RoundsToBFloat16());
  });
}

void PackProjections(const Storage& input, const PlanningContext& context, MultiheadAttention& net,
                     std::vector<PackedInput>& notes) {
  const std::vector<Projection*> inputs = InputProjections(net);
  for (Projection* projection : inputs) Pack(projection->source == 0 ? input : Storage(), context, *projection);
  // Slices of one weight give it up together.
  if (net.stacked || net.query.weight.input != net.key.weight.input) {
    for (const Projection* projection : inputs) NotePacked(projection->weight, {projection->packed}, notes);
  } else {
    NotePacked(net.query.weight, {net.query.packed, net.key.packed, net.value.packed}, notes);
  }
  if (!net.projects_context) return;
  Pack({}, context, net.output);
  NotePacked(net.output.weight, {net.output.packed}, notes);
}

}  // namespace kuiper_infer

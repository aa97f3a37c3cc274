// SPDX-License-Identifier: MIT
#include "operators/attention/multihead_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/attention/attention.hpp"
#include "kernel/reduction/reduce.hpp"
#include "operation/parameters.hpp"
#include "operators/attention/factor_type.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

using kernel::TokenRows;

/// The first `length` rows of `net.width` numbers as (batch, heads, length, width / heads).
TensorSpec HeadsOf(const MultiheadAttention& net, const TokenRows& rows, int64_t length) {
  const int64_t size = net.width / net.heads;
  return {net.type, {rows.batch, net.heads, length, size}, {rows.batch_stride, size, rows.row_stride, 1}};
}

template <class T>
void Project(const Projection& projection, const T* source, TokenRows target, int64_t width, T* result,
             const RunContext& c) {
  target.length = projection.source_rows.length;
  target.width = width;
  const T* bias = DataOrNull<T>(c, projection.bias);
  kernel::RowProjection<T> map{nullptr, bias == nullptr ? nullptr : bias + projection.bias_offset};
  if (projection.packed != nullptr) {
    projection.packed->SetIn(map.packed);
  } else {
    map.weight = DataOrNull<T>(c, projection.weight) + projection.weight_offset;
  }
  kernel::ProjectRows<T>(projection.source_rows, source, map, target, result);
}

/// Computes query, key and value rows; key and value rows with the added ones.
template <class T>
void ProjectInputs(const MultiheadAttention& net, const MultiheadLayout& layout, const RunContext& c) {
  const auto at = [&](int64_t offset) { return reinterpret_cast<T*>(c.workspace + offset); };
  const int64_t width = net.stacked ? 3 * net.width : net.width;
  Project(net.query, DataOrNull<T>(c, net.query.source), layout.query_rows, width, at(layout.query), c);
  if (!net.stacked) {
    Project(net.key, DataOrNull<T>(c, net.key.source), layout.key_rows, width, at(layout.key), c);
    Project(net.value, DataOrNull<T>(c, net.value.source), layout.key_rows, width, at(layout.value), c);
  }
  TokenRows rows = layout.key_rows;
  rows.width = net.width;
  int64_t next = net.key_length();
  if (net.bias_k >= 0) {
    kernel::SetRow(rows, next, DataOrNull<T>(c, net.bias_k), at(layout.key));
    kernel::SetRow(rows, next++, DataOrNull<T>(c, net.bias_v), at(layout.value));
  }
  if (net.zero_row) {
    kernel::SetRow<T>(rows, next, nullptr, at(layout.key));
    kernel::SetRow<T>(rows, next, nullptr, at(layout.value));
  }
}

OperationPlan PlanMultiheadAttention(const Arguments& arguments) {
  const AttentionSources sources = ReadAttentionSources(arguments);
  MultiheadAttention net = ReadMultiheadAttention(arguments, sources);
  const bool keep_weights = arguments.output_count() > 1;
  const bool average = keep_weights && arguments.Bool("average_attn_weights");
  const MultiheadLayout layout = MakeMultiheadLayout(net, average);
  net.output.source_rows = layout.context_rows;
  const TensorSpec query = HeadsOf(net, layout.query_rows, net.length());
  const TensorSpec key = HeadsOf(net, layout.key_rows, net.columns());
  const TensorSpec context = HeadsOf(net, layout.context_rows, net.length());
  const TensorSpec weights(net.type, {net.batch(), net.heads, net.length(), net.columns()});
  const TensorArgument* mask = sources.mask;
  const TensorSpec mask_spec = mask == nullptr ? TensorSpec() : MultiheadMask(arguments, net, mask->spec);
  const kernel::ReductionGeometry over_heads = kernel::MakeReductionGeometry(weights, {1});
  kernel::AttentionOptions options;
  options.threads = arguments.context().threads;
  const int64_t head_width = net.width / net.heads;
  options.scale = 1 / std::sqrt(static_cast<double>(head_width));
  options.mask_drops = true;
  options.zero_masked = !keep_weights;  // PyTorch takes another way where the weights are wanted
  options.factor_type = AttentionFactorType(arguments.context(), query, key, key);

  OperationPlan plan;
  plan.outputs = {OutputPlan::New(net.type, net.OutputShape())};
  if (keep_weights) plan.outputs.push_back(OutputPlan::New(net.type, net.WeightsShape(average)));
  plan.workspace_bytes = layout.scratch + std::max(kernel::AttentionWorkspace(options, query, key, key),
                                                   kernel::ReduceWorkspace(kernel::Reduction::kMean, over_heads));
  const auto work = [&](const Projection& p) {
    return static_cast<double>(p.source_rows.length * p.source_rows.width);
  };
  plan.multiply_adds = static_cast<double>(net.batch() * net.width) *
                       (work(net.query) + work(net.key) + work(net.value) + work(net.output) +
                        2 * static_cast<double>(net.length() * net.columns()));
  const kernel::AttentionArrays arrays{{nullptr, query},     {nullptr, key},     {nullptr, key},
                                       {nullptr, mask_spec}, {nullptr, context}, {nullptr, weights}};
  if (net.query.packed != nullptr) plan.method = ProductMethod(net.query.packed->type());
  if (plan.method.empty()) plan.method = ProductMethod(options.factor_type);
  plan.packed_inputs = std::move(net.packed_inputs);
  plan.run = [=, mask_input = mask == nullptr ? -1 : mask->input](const RunContext& c) {
    DispatchFloating(net.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ProjectInputs<T>(net, layout, c);
      const kernel::AttentionData data{
          c.workspace + layout.query,
          c.workspace + layout.key,
          c.workspace + layout.value,
          mask_input >= 0 ? c.inputs[mask_input].data : nullptr,
          c.workspace + layout.context,
          average ? c.workspace + layout.weights : keep_weights ? c.outputs[1].data : nullptr};
      kernel::Attention(options, arrays, data, c.workspace + layout.scratch);
      Project(net.output, reinterpret_cast<const T*>(c.workspace + layout.context), layout.context_rows, net.width,
              c.outputs[0].as<T>(), c);
      if (average) {
        kernel::Reduce(kernel::Reduction::kMean, {}, over_heads, {data.weights, weights}, c.workspace + layout.scratch,
                       c.outputs[1]);
      }
    });
  };
  return plan;
}

}  // namespace

void RegisterMultiheadAttention(OperationTable& table) {
  table.Add({"nn.MultiheadAttention"},
            "Tensor query|input, Tensor? key=None, Tensor? value=None, Tensor? attn_mask=None, int embed_dim, int "
            "num_heads, int? kdim=None, int? vdim=None, bool bias=True, bool add_bias_kv=False, bool "
            "add_zero_attn=False, bool batch_first=False, bool average_attn_weights=True, Tensor? in_proj_weight=None, "
            "Tensor? in_proj_bias=None, "
            "Tensor? out_proj.weight=None, Tensor? out_proj.bias=None",
            PlanMultiheadAttention);
}

}  // namespace kuiper_infer

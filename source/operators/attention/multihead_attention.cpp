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
  map.integers = projection.integers;
  if (projection.packed == nullptr) {
    map.weight = DataOrNull<T>(c, projection.weight.input) + projection.first_row * projection.source_rows.width;
  } else if (projection.integers.weight == nullptr) {
    projection.packed->SetIn(map.packed);
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

/// Attention with what is known of it before its weights are packed.
class MultiheadCall : public Computation {
 public:
  MultiheadCall(const Arguments& arguments, const AttentionSources& sources)
      : net_(ReadMultiheadAttention(arguments, sources)),
        keeps_weights_(arguments.output_count() > 1),
        average_(keeps_weights_ && arguments.Bool("average_attn_weights")),
        mask_(sources.mask == nullptr ? -1 : sources.mask->input),
        mask_spec_(sources.mask == nullptr ? TensorSpec() : MultiheadMask(arguments, net_, sources.mask->spec)) {}

  std::vector<OutputPlan> Outputs() const {
    std::vector<OutputPlan> outputs{OutputPlan::New(net_.type, net_.OutputShape())};
    if (keeps_weights_) outputs.push_back(OutputPlan::New(net_.type, net_.WeightsShape(average_)));
    return outputs;
  }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  double MultiplyAdds() const {
    const auto work = [&](const Projection& p) {
      return static_cast<double>(p.source_rows.length * p.source_rows.width);
    };
    return static_cast<double>(net_.batch() * net_.width) *
           (work(net_.query) + work(net_.key) + work(net_.value) + static_cast<double>(net_.length() * net_.width) +
            2 * static_cast<double>(net_.length() * net_.columns()));
  }

  MultiheadAttention net_;
  bool keeps_weights_;
  bool average_;
  int mask_;  ///< RunContext input; -1: none
  TensorSpec mask_spec_;
};

KernelCall MultiheadCall::MakeCall(const Fusion& fusion, const PlanningContext& planning) const {
  KernelCall call;
  MultiheadAttention net = net_;
  const MultiheadLayout layout = MakeMultiheadLayout(net, average_);
  net.output.source_rows = layout.context_rows;
  PackProjections(fusion.input, planning, net, call.packed_inputs);
  const TensorSpec query = HeadsOf(net, layout.query_rows, net.length());
  const TensorSpec key = HeadsOf(net, layout.key_rows, net.columns());
  const TensorSpec context = HeadsOf(net, layout.context_rows, net.length());
  const TensorSpec weights(net.type, {net.batch(), net.heads, net.length(), net.columns()});
  const kernel::ReductionGeometry over_heads = kernel::MakeReductionGeometry(weights, {1});
  kernel::AttentionOptions options;
  options.threads = planning.threads;
  const int64_t head_width = net.width / net.heads;
  options.scale = 1 / std::sqrt(static_cast<double>(head_width));
  options.mask_drops = true;
  options.zero_masked = !keeps_weights_;  // PyTorch takes another way where the weights are wanted
  options.factor_type = AttentionFactorType(planning, query, key, key);
  call.workspace_bytes = layout.scratch + std::max(kernel::AttentionWorkspace(options, query, key, key),
                                                   kernel::ReduceWorkspace(kernel::Reduction::kMean, over_heads));
  call.multiply_adds = MultiplyAdds();
  const kernel::AttentionArrays arrays{{nullptr, query},      {nullptr, key},     {nullptr, key},
                                       {nullptr, mask_spec_}, {nullptr, context}, {nullptr, weights}};
  if (net.query.integers.weight != nullptr) {
    call.method = "int8";
  } else if (net.query.packed != nullptr) {
    call.method = ProductMethod(net.query.packed->type());
  }
  if (call.method.empty()) call.method = ProductMethod(options.factor_type);
  call.run = [=, average = average_, keeps_weights = keeps_weights_, mask = mask_](const RunContext& c) {
    DispatchFloating(net.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ProjectInputs<T>(net, layout, c);
      const kernel::AttentionData data{
          c.workspace + layout.query,
          c.workspace + layout.key,
          c.workspace + layout.value,
          mask >= 0 ? c.inputs[mask].data : nullptr,
          c.workspace + layout.context,
          average ? c.workspace + layout.weights : keeps_weights ? c.outputs[1].data : nullptr};
      kernel::Attention(options, arrays, data, c.workspace + layout.scratch);
      Project(net.output, reinterpret_cast<const T*>(c.workspace + layout.context), layout.context_rows, net.width,
              c.outputs[0].as<T>(), c);
      if (average) {
        kernel::Reduce(kernel::Reduction::kMean, {}, over_heads, {data.weights, weights}, c.workspace + layout.scratch,
                       c.outputs[1]);
      }
    });
  };
  return call;
}

OperationPlan PlanMultiheadAttention(const Arguments& arguments) {
  const auto attention = std::make_shared<const MultiheadCall>(arguments, ReadAttentionSources(arguments));
  OperationPlan plan;
  plan.outputs = attention->Outputs();
  plan.computation = attention;
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

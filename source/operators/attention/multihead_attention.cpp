// SPDX-License-Identifier: MIT
#include "operators/attention/multihead_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/reduction/reduce.hpp"
#include "operators/attention/head_factors.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The first `length` rows of `net.width` numbers as (batch, heads, length, width / heads).
TensorSpec HeadsOf(const MultiheadAttention& net, const kernel::TokenRows& rows, int64_t length) {
  const int64_t size = net.width / net.heads;
  return {net.type, {rows.batch, net.heads, length, size}, {rows.batch_stride, size, rows.row_stride, 1}};
}

/// Attention with what is known of it before its weights are packed.
class MultiheadCall : public Computation {
 public:
  MultiheadCall(const Arguments& arguments, const AttentionSources& sources)
      : net_(ReadMultiheadAttention(arguments, sources)),
        keeps_weights_(arguments.output_count() > 1),
        average_(keeps_weights_ && arguments.Bool("average_attn_weights")),
        mask_(sources.mask == nullptr ? -1 : sources.mask->input),
        mask_spec_(sources.mask == nullptr ? TensorSpec() : MultiheadMask(arguments, net_, sources.mask->spec)),
        projects_bytes_(ProjectsBytes(net_, arguments.context())),
        projects_bfloat16_(ProjectsBFloat16(net_, arguments.context())) {}

  std::vector<OutputPlan> Outputs() const {
    std::vector<OutputPlan> outputs{OutputPlan::New(net_.type, net_.OutputShape())};
    if (keeps_weights_) outputs.push_back(OutputPlan::New(net_.type, net_.WeightsShape(average_)));
    return outputs;
  }

  /// Only rounding can be fused, and only if the context is the output.
  bool CanFuse(const Fusion& fusion) const override {
    return !net_.projects_context && fusion.factor < 0 && fusion.residual < 0 && fusion.activation.function == nullptr;
  }
  bool Reads(RuntimeDataType stored, int input, const Fusion& fusion) const override {
    if (stored == RuntimeDataType::kTypeBFloat16) return PrefersBFloat16(input, fusion);
    const Storage storage = fusion.InputStorage(0);
    return stored == RuntimeDataType::kTypeUInt8 && input == 0 && projects_bytes_ && storage.grid &&
           FitsBytes(*storage.grid);
  }
  bool Writes(RuntimeDataType stored, const Fusion& fusion) const override {
    return stored == RuntimeDataType::kTypeUInt8 && fusion.result.grid && FitsBytes(*fusion.result.grid);
  }
  bool PrefersBFloat16(int input, const Fusion& /*fusion*/) const override {
    return input == 0 && projects_bfloat16_ && net_.type == RuntimeDataType::kTypeFloat32;
  }
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  double MultiplyAdds() const {
    const auto work = [&](const Projection& p) {
      return static_cast<double>(p.source_rows.length * p.source_rows.width);
    };
    return static_cast<double>(net_.batch() * net_.width) *
           (work(net_.query) + work(net_.key) + work(net_.value) +
            static_cast<double>(net_.projects_context ? net_.length() * net_.width : 0) +
            2 * static_cast<double>(net_.length() * net_.columns()));
  }

  MultiheadAttention net_;
  bool keeps_weights_;
  bool average_;
  int mask_;  ///< RunContext input; -1: none
  TensorSpec mask_spec_;
  bool projects_bytes_;
  bool projects_bfloat16_;
};

KernelCall MultiheadCall::MakeCall(const Fusion& fusion, const PlanningContext& planning) const {
  KernelCall call;
  MultiheadAttention net = net_;
  const bool keeps_context = net.projects_context || fusion.result.type == RuntimeDataType::kTypeUInt8;
  const MultiheadLayout layout = MakeMultiheadLayout(net, keeps_context, average_);
  net.output.source_rows = layout.context_rows;
  PackProjections(fusion.InputStorage(0), planning, net, call.packed_inputs);
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
  options.zero_masked = !keeps_weights_;  // PyTorch computes differently if the weights are returned
  ChooseHeadProduct(planning, net.int8_products && !keeps_weights_, query, key, key, options);
  call.workspace_bytes = layout.scratch + std::max(kernel::AttentionWorkspace(options, query, key, key),
                                                   kernel::ReduceWorkspace(kernel::Reduction::kMean, over_heads));
  call.multiply_adds = MultiplyAdds();
  const kernel::AttentionArrays arrays{{nullptr, query},      {nullptr, key},     {nullptr, key},
                                       {nullptr, mask_spec_}, {nullptr, context}, {nullptr, weights}};
  if (net.query.packed != nullptr) call.method = net.query.product.weight.kernel->name;
  if (call.method.empty() && options.product != nullptr) call.method = options.product->name;
  call.run = [=, result = fusion.result, average = average_, keeps_weights = keeps_weights_,
              mask = mask_](const RunContext& c) {
    DispatchFloating(net.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      ProjectInputs<T>(net, layout, c);
      const kernel::AttentionData data{c.workspace + layout.query,
                                       c.workspace + layout.key,
                                       c.workspace + layout.value,
                                       mask >= 0 ? c.inputs[mask].data : nullptr,
                                       keeps_context ? c.workspace + layout.context : c.outputs[0].data,
                                       average         ? c.workspace + layout.weights
                                       : keeps_weights ? c.outputs[1].data
                                                       : nullptr};
      kernel::Attention(options, arrays, data, c.workspace + layout.scratch);
      WriteOutput<T>(net, layout, result, data.output, c);
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
            "Tensor? out_proj.weight=None, Tensor? out_proj.bias=None, bool out_proj=True, bool int8_products=False",
            PlanMultiheadAttention);
}

}  // namespace kuiper_infer

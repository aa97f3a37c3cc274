// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "kernel/attention/attention.hpp"
#include "kernel/attention/int8_rows.hpp"
#include "kernel/attention/streamed_attention.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "operation/operation.hpp"
#include "operation/strided_operand.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {

/// A call of scaled dot-product attention whose number of keys is a value of the run: one plan serves every length.
class StreamedAttentionCall {
 public:
  /// `query` has rows without gaps. `mask` may be null. `output` is broadcast from the other arrays.
  StreamedAttentionCall(StridedOperand query, const TensorArgument& key, const TensorArgument& value,
                        const TensorArgument* mask, TensorSpec output)
      : query_(std::move(query)), key_(key), value_(value), mask_(mask), output_(std::move(output)) {}

  /// Whether the kernel can read the arrays: a float32 query, keys and values of float32, of bfloat16 or in int8 rows,
  /// with rows without gaps.
  bool Suits() const {
    const auto in_rows = [](const TensorSpec& spec) { return spec.shape.back() <= 1 || spec.strides.back() == 1; };
    const bool readable = key_.spec.type == RuntimeDataType::kTypeFloat32 ||
                          key_.spec.type == RuntimeDataType::kTypeBFloat16 || kernel::HasInt8Rows(key_.spec);
    return query_.used.type == RuntimeDataType::kTypeFloat32 && readable && key_.spec.type == value_.spec.type &&
           in_rows(key_.spec) && in_rows(value_.spec) && (mask_ == nullptr || mask_->spec.rank() > 0);
  }

  /// Whether it is at least as fast at the plan's length as kernel::Attention with these options. It is for few
  /// queries, which don't pay that kernel's copies of keys and values. With products in float32 it also is for up to
  /// kManyRows queries, and for more queries if attention is causal, so that columns can be left out.
  bool IsFaster(const kernel::AttentionOptions& options, Isa isa) const {
    constexpr int64_t kFewRows = 16;
    constexpr int64_t kManyRows = 128;
    if (options.integers()) return false;
    const int64_t rows = output_.shape.end()[-2];
    if (rows <= kFewRows) return true;
    return options.product == &kernel::Float32Kernel(isa) && (options.causal || rows <= kManyRows);
  }

  /// Plans the call; the workspace of `plan` grows by the kernel's.
  void Plan(const kernel::AttentionOptions& options, const PlanningContext& context, OperationPlan& plan) const {
    kernel::StreamedAttentionOptions streamed;
    streamed.scale = options.scale;
    streamed.causal = options.causal ? kernel::CausalRule::kFromStart : kernel::CausalRule::kNone;
    streamed.threads = options.threads;
    streamed.rounding = kernel::RoundingTiles(context.units.bfloat16, context.pieces);
    const int64_t scratch = AlignedBytes(plan.workspace_bytes);
    plan.workspace_bytes =
        scratch + kernel::StreamedAttentionWorkspace(streamed, query_.used, key_.spec, value_.spec, output_);
    plan.method = streamed.rounding != nullptr ? "streamed, bfloat16" : "streamed";
    plan.reads_specs = true;
    plan.run = [streamed, query = query_, output = output_, key = key_.input, value = value_.input,
                mask = mask_ != nullptr ? mask_->input : -1, scratch](const RunContext& c) {
      const auto array = [&](int input) -> kernel::SpecifiedArray {
        if (input < 0) return {};
        return {c.inputs[input].data, &c.inputs[input].spec};
      };
      kernel::StreamedAttentionArrays arrays;
      arrays.query = {OperandData(query, c), &query.used};
      arrays.key = array(key);
      arrays.value = array(value);
      arrays.mask = array(mask);
      arrays.output = c.outputs[0].data;
      arrays.output_spec = &output;
      kernel::StreamedAttention(streamed, arrays, c.workspace + scratch);
    };
  }

 private:
  StridedOperand query_;
  const TensorArgument& key_;
  const TensorArgument& value_;
  const TensorArgument* mask_;
  TensorSpec output_;
};

}  // namespace kuiper_infer

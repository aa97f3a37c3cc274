// SPDX-License-Identifier: MIT
#include <cmath>

#include "operation/backward_outputs.hpp"
#include "operation/planning_context.hpp"
#include "operation/strided_operand.hpp"
#include "operators/attention/head_factors.hpp"
#include "operators/attention/streamed_attention_call.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// Splits axis `rank - 3`, the heads, into `groups` of `size`: query heads that share a key head follow each other.
TensorSpec SplitHeads(const TensorSpec& spec, int64_t groups, int64_t size) {
  TensorSpec split = spec;
  const auto heads = static_cast<std::ptrdiff_t>(spec.shape.size()) - 3;
  const int64_t stride = spec.strides[static_cast<std::size_t>(heads)];
  split.shape[static_cast<std::size_t>(heads)] = groups;
  split.strides[static_cast<std::size_t>(heads)] = stride * size;
  split.shape.insert(split.shape.begin() + heads + 1, size);
  split.strides.insert(split.strides.begin() + heads + 1, stride);
  return split;
}

/// Makes an operand of rows without gaps, which the kernel reads.
StridedOperand MakeOperand(const TensorArgument& tensor, int64_t& workspace_bytes) {
  const bool gaps = tensor.spec.shape.back() > 1 && tensor.spec.strides.back() != 1;
  return MakeStridedOperand(tensor, gaps, workspace_bytes);
}

/// Returns how many query heads share a key head: 1 unless enable_gqa, 0 if the query has no heads.
int64_t GroupSize(const Arguments& arguments, const TensorSpec& query, const TensorSpec& key) {
  if (!arguments.Bool("enable_gqa")) return 1;
  arguments.Require(query.rank() >= 3 && key.rank() == query.rank(),
                    "enable_gqa expects query, key and value of one "
                    "rank of 3 or more, found " +
                        ShapeString(query.shape) + " and " + ShapeString(key.shape));
  const int64_t heads = query.shape[query.shape.size() - 3];
  const int64_t shared = key.shape[key.shape.size() - 3];
  arguments.Require(shared > 0 && heads % shared == 0, "found " + std::to_string(heads) + " query heads and " +
                                                           std::to_string(shared) +
                                                           " key heads, expected a multiple of the key heads");
  return heads / shared;
}

/// Whether keys and values are states that a session keeps in another type (GrowingInput::stored).
bool AreKept(const TensorSpec& query, const TensorSpec& key, const TensorSpec& value) {
  const auto kept = [](const TensorSpec& spec) {
    return spec.type == RuntimeDataType::kTypeBFloat16 || kernel::HasInt8Rows(spec);
  };
  return query.type == RuntimeDataType::kTypeFloat32 && kept(key) && kept(value) && value.type == key.type;
}

void CheckShapes(const Arguments& arguments, const TensorSpec& query, const TensorSpec& key, const TensorSpec& value) {
  for (const TensorSpec* spec : {&query, &key, &value}) {
    arguments.Require(spec->rank() >= 2, "found " + ShapeString(spec->shape) + ", expected rank 2 or more");
    arguments.Require((IsFloating(spec->type) && spec->type == query.type) || AreKept(query, key, value),
                      std::string("found element types ") + TypeName(query.type) + " and " + TypeName(spec->type) +
                          ", expected one floating type");
  }
  arguments.Require(
      key.shape.back() == query.shape.back(),
      "query is " + ShapeString(query.shape) + " and key " + ShapeString(key.shape) + ", expected equal last extents");
  arguments.Require(
      key.shape[key.shape.size() - 2] == value.shape[value.shape.size() - 2],
      "key is " + ShapeString(key.shape) + " and value " + ShapeString(value.shape) + ", expected equal lengths");
}

OperationPlan PlanScaledDotProductAttention(const Arguments& arguments) {
  const TensorArgument& query = arguments.Tensor("query");
  const TensorArgument& key = arguments.Tensor("key");
  const TensorArgument& value = arguments.Tensor("value");
  CheckShapes(arguments, query.spec, key.spec, value.spec);
  const int64_t group = GroupSize(arguments, query.spec, key.spec);
  OperationPlan plan;
  if (group == 0) {  // no query heads: the result is empty
    Shape empty = query.spec.shape;
    empty.back() = value.spec.shape.back();
    plan.outputs = {OutputPlan::New(query.spec.type, empty)};
    return plan;
  }
  StridedOperand q = MakeOperand(query, plan.workspace_bytes);
  const StridedOperand streamed_query = q;
  const int64_t query_bytes = plan.workspace_bytes;
  StridedOperand k = MakeOperand(key, plan.workspace_bytes);
  StridedOperand v = MakeOperand(value, plan.workspace_bytes);
  Shape leading(query.spec.shape.begin(), query.spec.shape.end() - 2);
  if (group == 1) {
    const auto front = [](const TensorSpec& spec) { return Shape(spec.shape.begin(), spec.shape.end() - 2); };
    leading = BroadcastShapes(BroadcastShapes(front(query.spec), front(key.spec)), front(value.spec));
  }
  Shape scores = leading;
  scores.insert(scores.end(), {query.spec.shape.end()[-2], key.spec.shape.end()[-2]});
  StridedOperand mask;
  if (const TensorArgument* given = arguments.OptionalTensor("attn_mask"); given != nullptr) {
    arguments.Require(
        given->spec.type == RuntimeDataType::kTypeBool || given->spec.type == query.spec.type,
        std::string("attn_mask is ") + TypeName(given->spec.type) + ", expected bool or " + TypeName(query.spec.type));
    mask.input = given->input;
    mask.given = given->spec;
    mask.used = TensorSpec(given->spec.type, scores, BroadcastStrides(given->spec, scores));
  }
  Shape shape = leading;
  shape.insert(shape.end(), {query.spec.shape.end()[-2], value.spec.shape.back()});
  TensorSpec out(query.spec.type, shape);
  plan.outputs = {OutputPlan::New(query.spec.type, shape)};
  if (group == 1) {
    for (StridedOperand* operand : {&q, &k, &v}) operand->used = WithLeading(operand->used, leading);
  } else {
    const int64_t groups = leading.back() / group;
    leading.back() = groups;
    const auto shared = [&](const TensorSpec& spec) {
      TensorSpec split = SplitHeads(WithLeading(spec, leading), groups, 1);
      split.shape[split.shape.size() - 3] = group;
      split.strides[split.strides.size() - 3] = 0;
      return split;
    };
    k.used = shared(k.used);
    v.used = shared(v.used);
    for (TensorSpec* spec : {&q.used, &out}) *spec = SplitHeads(*spec, groups, group);
    if (mask.input >= 0) mask.used = SplitHeads(mask.used, groups, group);
  }
  kernel::AttentionOptions options;
  options.threads = arguments.context().threads;
  const double width = static_cast<double>(query.spec.shape.back());
  options.scale = arguments.Has("scale") ? arguments.Float("scale") : 1 / std::sqrt(width);
  options.causal = arguments.Bool("is_causal");
  options.zero_masked = true;
  plan.multiply_adds = static_cast<double>(ElementCount(scores)) * (width + static_cast<double>(shape.back()));
  ChooseHeadProduct(arguments.context(), arguments.Bool("int8_products"), q.used, k.used, v.used, options);
  const StreamedAttentionCall streamed{streamed_query, key, value, arguments.OptionalTensor("attn_mask"),
                                       TensorSpec(query.spec.type, shape)};
  const bool kept = AreKept(query.spec, key.spec, value.spec);
  arguments.Require(!kept || streamed.Suits(),
                    "keys and values of another type than the query have gaps in their rows");
  if (streamed.Suits() &&
      (kept || arguments.context().free_lengths || streamed.IsFaster(options, arguments.context().units.isa))) {
    plan.workspace_bytes = query_bytes;
    streamed.Plan(options, arguments.context(), plan);
    return plan;
  }
  if (options.product != nullptr) plan.method = options.product->name;
  const int64_t scratch = plan.workspace_bytes;
  plan.workspace_bytes += kernel::AttentionWorkspace(options, q.used, k.used, v.used);
  const kernel::AttentionArrays arrays{{nullptr, q.used},    {nullptr, k.used}, {nullptr, v.used},
                                       {nullptr, mask.used}, {nullptr, out},    {}};
  plan.run = [q, k, v, mask, arrays, options, scratch](const RunContext& c) {
    const kernel::AttentionData data{OperandData(q, c),    OperandData(k, c), OperandData(v, c),
                                     OperandData(mask, c), c.outputs[0].data, nullptr};
    kernel::Attention(options, arrays, data, c.workspace + scratch);
  };
  return plan;
}

/// Plans attention as automatic differentiation calls it: outputs after the first serve only the backward pass.
OperationPlan PlanAttentionForward(const Arguments& arguments) {
  OperationPlan plan = PlanScaledDotProductAttention(arguments);
  AddBackwardOutputs(arguments, plan);
  return plan;
}

}  // namespace

void RegisterScaledDotProductAttention(OperationTable& table) {
  table.Add({"F.scaled_dot_product_attention", "aten::scaled_dot_product_attention"},
            "Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0, bool is_causal=False, "
            "float? scale=None, bool enable_gqa=False, bool int8_products=False",
            PlanScaledDotProductAttention, InputLayout::kStrided);
  table.Add({"aten::_scaled_dot_product_flash_attention_for_cpu"},
            "Tensor query, Tensor key, Tensor value, float dropout_p=0, bool is_causal=False, Tensor? attn_mask=None, "
            "float? scale=None, bool enable_gqa=False, bool int8_products=False",
            PlanAttentionForward, InputLayout::kStrided);
}

}  // namespace kuiper_infer

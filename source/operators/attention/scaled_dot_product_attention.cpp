// SPDX-License-Identifier: MIT
#include <cmath>

#include "operation/backward_outputs.hpp"
#include "operation/planning_context.hpp"
#include "operators/attention/attention_operands.hpp"
#include "operators/attention/head_factors.hpp"
#include "operators/attention/streamed_attention_call.hpp"

namespace kuiper_infer {
namespace {

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
  const AttentionOperands operands = MakeAttentionOperands(arguments, group, plan.workspace_bytes);
  const TensorSpec& q = operands.query.used;
  const TensorSpec& k = operands.key.used;
  const TensorSpec& v = operands.value.used;
  plan.outputs = {OutputPlan::New(query.spec.type, operands.result.shape)};
  kernel::AttentionOptions options;
  options.threads = arguments.context().threads;
  const double width = static_cast<double>(query.spec.shape.back());
  options.scale = arguments.Has("scale") ? arguments.Float("scale") : 1 / std::sqrt(width);
  options.causal = arguments.Bool("is_causal");
  options.zero_masked = true;
  plan.multiply_adds =
      static_cast<double>(ElementCount(operands.scores)) * (width + static_cast<double>(value.spec.shape.back()));
  ChooseHeadProduct(arguments.context(), arguments.Bool("int8_products"), q, k, v, options);
  int64_t query_bytes = 0;
  const StreamedAttentionCall streamed{MakeRowsOperand(query, query_bytes), key, value,
                                       arguments.OptionalTensor("attn_mask"), operands.result};
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
  plan.workspace_bytes += kernel::AttentionWorkspace(options, q, k, v);
  const kernel::AttentionArrays arrays{
      {nullptr, q}, {nullptr, k}, {nullptr, v}, {nullptr, operands.mask.used}, {nullptr, operands.output}, {}};
  plan.run = [operands, arrays, options, scratch](const RunContext& c) {
    const kernel::AttentionData data{OperandData(operands.query, c),
                                     OperandData(operands.key, c),
                                     OperandData(operands.value, c),
                                     OperandData(operands.mask, c),
                                     c.outputs[0].data,
                                     nullptr};
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

// SPDX-License-Identifier: MIT
#include "operators/attention/attention_operands.hpp"

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

}  // namespace

StridedOperand MakeRowsOperand(const TensorArgument& tensor, int64_t& workspace_bytes) {
  const bool gaps = tensor.spec.shape.back() > 1 && tensor.spec.strides.back() != 1;
  return MakeStridedOperand(tensor, gaps, workspace_bytes);
}

AttentionOperands MakeAttentionOperands(const Arguments& arguments, int64_t group, int64_t& workspace_bytes) {
  const TensorArgument& query = arguments.Tensor("query");
  const TensorArgument& key = arguments.Tensor("key");
  const TensorArgument& value = arguments.Tensor("value");
  AttentionOperands made;
  made.query = MakeRowsOperand(query, workspace_bytes);
  made.key = MakeRowsOperand(key, workspace_bytes);
  made.value = MakeRowsOperand(value, workspace_bytes);
  Shape leading(query.spec.shape.begin(), query.spec.shape.end() - 2);
  if (group == 1) {
    const auto front = [](const TensorSpec& spec) { return Shape(spec.shape.begin(), spec.shape.end() - 2); };
    leading = BroadcastShapes(BroadcastShapes(front(query.spec), front(key.spec)), front(value.spec));
  }
  made.scores = leading;
  made.scores.insert(made.scores.end(), {query.spec.shape.end()[-2], key.spec.shape.end()[-2]});
  if (const TensorArgument* mask = arguments.OptionalTensor("attn_mask"); mask != nullptr) {
    arguments.Require(
        mask->spec.type == RuntimeDataType::kTypeBool || mask->spec.type == query.spec.type,
        std::string("attn_mask is ") + TypeName(mask->spec.type) + ", expected bool or " + TypeName(query.spec.type));
    made.mask.input = mask->input;
    made.mask.given = mask->spec;
    made.mask.used = TensorSpec(mask->spec.type, made.scores, BroadcastStrides(mask->spec, made.scores));
  }
  Shape shape = leading;
  shape.insert(shape.end(), {query.spec.shape.end()[-2], value.spec.shape.back()});
  made.result = made.output = TensorSpec(query.spec.type, shape);
  if (group == 1) {
    for (StridedOperand* operand : {&made.query, &made.key, &made.value}) {
      operand->used = WithLeading(operand->used, leading);
    }
    return made;
  }
  const int64_t groups = leading.back() / group;
  leading.back() = groups;
  for (StridedOperand* operand : {&made.key, &made.value}) {  // shared by the queries of a group
    operand->used = SplitHeads(WithLeading(operand->used, leading), groups, 1);
    operand->used.shape.end()[-3] = group;
    operand->used.strides.end()[-3] = 0;
  }
  for (TensorSpec* spec : {&made.query.used, &made.output}) *spec = SplitHeads(*spec, groups, group);
  if (made.mask.input >= 0) made.mask.used = SplitHeads(made.mask.used, groups, group);
  return made;
}

}  // namespace kuiper_infer

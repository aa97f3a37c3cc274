// SPDX-License-Identifier: MIT
#include "runtime/state_storage.hpp"

#include <algorithm>
#include <map>

#include "kuiper_infer/runtime/runtime_op.hpp"

namespace kuiper_infer {
namespace {

/// A place where an operand is read: an operator, and the place among its inputs.
struct Reader {
  const RuntimeOperator* op;
  std::size_t input;
};
using Readers = std::multimap<const RuntimeOperand*, Reader>;

Readers ReadersOf(const Operators& operators) {
  Readers readers;
  for (const auto& op : operators) {
    const auto& operands = op->input_operands_seq;
    for (std::size_t i = 0; i < operands.size(); ++i) readers.insert({operands[i].get(), {op.get(), i}});
  }
  return readers;
}

/// Whether the operator reads nothing but the extents of its input.
bool ReadsShape(const RuntimeOperator& op) { return op.type == "aten::size" || op.type == "Tensor.size"; }

bool ReadsAsKeyOrValue(const Reader& reader) {
  const std::string& type = reader.op->type;
  const bool attends = type == "F.scaled_dot_product_attention" || type == "aten::scaled_dot_product_attention";
  return attends && (reader.input == 1 || reader.input == 2);
}

/// Whether attention alone reads the elements of a growing state.
bool OnlyAttentionReads(const StatePair& pair, const RuntimeOperand& past, const Readers& readers) {
  const RuntimeOperator& join = *pair.growing->join;
  const auto [first_past, end_past] = readers.equal_range(&past);
  const bool joined_only = std::all_of(first_past, end_past, [&](const auto& entry) {
    return ReadsShape(*entry.second.op) || entry.second.op == &join;
  });
  const auto [first, end] = readers.equal_range(join.output_operands_seq.front().get());
  const bool attended = std::any_of(first, end, [](const auto& entry) { return ReadsAsKeyOrValue(entry.second); });
  return joined_only && attended && std::all_of(first, end, [](const auto& entry) {
           const Reader& reader = entry.second;
           return ReadsAsKeyOrValue(reader) || ReadsShape(*reader.op) || reader.op->type == "pnnx.Output" ||
                  reader.op->type == "prim::TupleConstruct";
         });
}

}  // namespace

void ChooseStateStorage(ModelStates& states, const Operators& operators, const Operators& inputs, Precision precision) {
  if (precision != Precision::kMedium || !states.grows()) return;
  const Readers readers = ReadersOf(operators);
  for (StatePair& pair : states.pairs) {
    const RuntimeOperand& past = *inputs[pair.input]->output_operands;
    if (!pair.growing || past.type != RuntimeDataType::kTypeFloat32) continue;
    const bool rows = pair.growing->axis + 1 < static_cast<int64_t>(past.shapes.size());  // attention reads whole rows
    if (rows && OnlyAttentionReads(pair, past, readers)) pair.growing->stored = RuntimeDataType::kTypeBFloat16;
  }
}

}  // namespace kuiper_infer

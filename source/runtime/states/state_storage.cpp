// SPDX-License-Identifier: MIT
#include "runtime/states/state_storage.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/binder.hpp"

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

/// Whether an expression reads nothing but extents of its input number `input`: each @input stands in size(...).
bool ReadsShapeByExpression(const RuntimeOperator& op, std::size_t input) {
  const auto found = op.call == nullptr ? std::map<std::string, Value>::const_iterator() : op.call->params.find("expr");
  if (op.call == nullptr || found == op.call->params.end() || !found->second.Is<std::string>()) return false;
  const std::string text = found->second.Get<std::string>();
  const std::string name = "@" + std::to_string(input);
  const std::string size = "size(";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool longer = end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0;
    if (longer) continue;  // another input's number begins with this one
    if (at < size.size() || text.compare(at - size.size(), size.size(), size) != 0) return false;
  }
  return true;
}

/// Whether the operator reads nothing but the extents of its input.
bool ReadsShape(const Reader& reader) {
  static const std::set<std::string> kTypes = {"aten::size", "Tensor.size", "aten::sym_size", "aten::dim",
                                               "Tensor.dim"};
  const RuntimeOperator& op = *reader.op;
  return kTypes.count(op.type) > 0 || (op.type == "pnnx.Expression" && ReadsShapeByExpression(op, reader.input));
}

bool ReadsAsKeyOrValue(const Reader& reader) {
  const std::string& type = reader.op->type;
  const bool attends = type == "F.scaled_dot_product_attention" || type == "aten::scaled_dot_product_attention";
  return attends && (reader.input == 1 || reader.input == 2) && reader.op->input_operands_seq.size() > 2;
}

/// Whether attention alone reads the elements of a growing state.
bool OnlyAttentionReads(const StatePair& pair, const RuntimeOperand& past, const Readers& readers) {
  const RuntimeOperator& join = *pair.growing->join;
  const auto [first_past, end_past] = readers.equal_range(&past);
  const bool joined_only = std::all_of(
      first_past, end_past, [&](const auto& entry) { return ReadsShape(entry.second) || entry.second.op == &join; });
  const auto [first, end] = readers.equal_range(join.output_operands_seq.front().get());
  const bool attended = std::any_of(first, end, [](const auto& entry) { return ReadsAsKeyOrValue(entry.second); });
  return joined_only && attended && std::all_of(first, end, [](const auto& entry) {
           const Reader& reader = entry.second;
           return ReadsAsKeyOrValue(reader) || ReadsShape(reader) || reader.op->type == "pnnx.Output" ||
                  reader.op->type == "prim::TupleConstruct";
         });
}

const RuntimeOperand* JoinedOf(const StatePair& pair) { return pair.growing->join->output_operands_seq.front().get(); }

/// Resets GrowingInput::stored of keys if it is not set for their values, and of values if it is not set for the keys.
/// Returns whether it has reset any.
bool UndoWithoutPartner(ModelStates& states, const Readers& readers) {
  std::set<const RuntimeOperand*> kept;
  for (const StatePair& pair : states.pairs) {
    if (pair.growing && pair.growing->stored) kept.insert(JoinedOf(pair));
  }
  bool undone = false;
  for (StatePair& pair : states.pairs) {
    if (!pair.growing || !pair.growing->stored) continue;
    const auto [first, end] = readers.equal_range(JoinedOf(pair));
    const bool alike = std::all_of(first, end, [&](const auto& entry) {
      const auto& operands = entry.second.op->input_operands_seq;
      return !ReadsAsKeyOrValue(entry.second) ||
             (kept.count(operands[1].get()) > 0 && kept.count(operands[2].get()) > 0);
    });
    if (!alike) pair.growing->stored.reset();
    undone = undone || !alike;
  }
  return undone;
}

/// The type in which keys and values are to be kept, if it is not the model's.
std::optional<RuntimeDataType> WantedType(const BuildOptions& options) {
  if (options.state_type == "int8") return RuntimeDataType::kTypeInt8;
  const bool automatic = options.state_type.empty() || options.state_type == "auto";
  const bool rounded = options.state_type == "bfloat16" || (automatic && options.precision == Precision::kMedium);
  return rounded ? std::make_optional(RuntimeDataType::kTypeBFloat16) : std::nullopt;
}

}  // namespace

std::vector<std::string> StateTypeNames() { return {"auto", "float32", "bfloat16", "int8"}; }

void ChooseStateStorage(ModelStates& states, const Operators& operators, const Operators& inputs,
                        const BuildOptions& options) {
  const std::optional<RuntimeDataType> type = WantedType(options);
  if (!type || !states.grows()) return;
  const Readers readers = ReadersOf(operators);
  for (StatePair& pair : states.pairs) {
    const RuntimeOperand& past = *inputs[pair.input]->output_operands;
    if (!pair.growing || past.type != RuntimeDataType::kTypeFloat32) continue;
    const bool rows = pair.growing->axis + 1 < static_cast<int64_t>(past.shapes.size());  // attention reads whole rows
    if (rows && OnlyAttentionReads(pair, past, readers)) pair.growing->stored = type;
  }
  while (UndoWithoutPartner(states, readers)) {
  }
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/attention/int8_rows.hpp"
#include "kernel/movement/copy.hpp"
#include "planning/infer.hpp"

namespace kuiper_infer {

const VaryingOperand* Inference::FindVarying(const RuntimeOperand& operand) const {
  const auto found = graph_.varying.find(&operand);
  return found != graph_.varying.end() ? &found->second : nullptr;
}

bool Inference::IsKeptState(int array) const {
  return std::any_of(graph_.growing.begin(), graph_.growing.end(), [&](const GrowingSlots& growing) {
    return growing.input.stored.has_value() && (array == growing.past || array == growing.whole);
  });
}

bool Inference::VariesInShape(const RuntimeOperand& operand) const {
  const VaryingOperand* varying = FindVarying(operand);
  return varying != nullptr && varying->kind != VaryingOperand::Kind::kContents;
}

bool Inference::ReadsVarying(const RuntimeOperator& op) const {
  const auto& operands = op.input_operands_seq;
  return std::any_of(operands.begin(), operands.end(), [this](const auto& operand) { return VariesInShape(*operand); });
}

void Inference::BindDynamic(Inferred& inferred) {
  const std::size_t op = inferred.node.op;
  inferred.node = Node{};
  inferred.node.kind = Node::Kind::kDynamic;
  inferred.node.op = inferred.node.position = op;
  inferred.results.clear();
  for (const auto& operand : graph_.operators[op]->output_operands_seq) {
    const VaryingOperand* varying = FindVarying(*operand);
    if (varying == nullptr || varying->kind == VaryingOperand::Kind::kUnknown) {
      inferred.results.push_back({inferred.unknown});
    } else {
      const int array = AddResult(inferred.node);
      graph_.arrays[array] = {varying->spec, ArrayMemory::kComputed};
      inferred.results.push_back({array});
    }
  }
}

void Inference::BindAppend(const RuntimeOperator& op, GrowingSlots& growing, Inferred& inferred) {
  Node& node = inferred.node;
  const TensorSpec past = graph_.arrays[growing.past].spec;
  const RuntimeDataType wanted = growing.input.stored ? RuntimeDataType::kTypeFloat32 : past.type;
  const auto& operands = op.input_operands_seq;
  const auto fail = [&](const std::string& found) {
    throw Error(ErrorCode::kUnsupported, "operator '" + op.name + "' (" + op.type + ") " + found +
                                             ", expected one array of " + TypeName(wanted) +
                                             " that is joined to a growing input");
  };
  if (operands.size() != 2 || VariesInShape(*operands.back())) fail("joins other arrays");
  ToArgument(graph_.symbols.at(operands.back().get()), InputLayout::kStrided, node);
  if (node.inputs.size() != 1) fail("joins a value that is no array");
  const NodeInput& part = node.inputs.front();
  const TensorSpec added = part.array >= 0 ? graph_.arrays[part.array].spec : part.constant.spec;
  const auto axis = static_cast<std::size_t>(growing.input.axis);
  if (added.type != wanted || added.rank() != past.rank()) fail("joins " + SpecString(added));
  Shape whole = past.shape;
  whole[axis] += added.shape[axis];
  growing.added = AddResult(node);
  growing.whole = AddResult(node);
  graph_.arrays[growing.added] = {growing.input.KeptSpec(added.type, added.shape), ArrayMemory::kGrowing};
  graph_.arrays[growing.whole] = {growing.input.KeptSpec(added.type, whole), ArrayMemory::kGrowing};
  node.outputs = {growing.added};
  if (growing.input.stored == RuntimeDataType::kTypeInt8) {
    node.call.run = [](const RunContext& c) {
      kernel::RoundToInt8Rows(c.inputs[0].data, c.inputs[0].spec, c.outputs[0].data, c.outputs[0].spec);
    };
  } else {
    node.call.run = [](const RunContext& c) { kernel::Copy(c.inputs[0], c.outputs[0]); };
  }
  node.call.method = "append";
  inferred.results = {Symbol{growing.whole}};
}

}  // namespace kuiper_infer

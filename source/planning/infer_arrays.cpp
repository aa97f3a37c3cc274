// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/movement/copy.hpp"
#include "planning/infer.hpp"

namespace kuiper_infer {

Argument Inference::ToArgument(const Symbol& symbol, InputLayout layout, Node& node) {
  const auto index = [&] { return static_cast<int>(node.inputs.size()) - 1; };
  if (const int* array = symbol.slot()) {
    const int used = NeedsRowMajor(layout, node.inputs.empty()) ? RowMajorCopy(node, *array) : *array;
    node.inputs.push_back({used, {}});
    return Argument{TensorArgument{graph_.arrays[used].spec, index(), {}}};
  }
  if (const Symbol::List* list = symbol.list()) {
    Argument::List items;
    for (const Symbol& item : *list) items.push_back(ToArgument(item, layout, node));
    return Argument{std::move(items)};
  }
  const Value& value = *symbol.known();
  if (value.Is<NdArray>()) {
    TensorArgument constant;
    constant.SetValues(NeedsRowMajor(layout, node.inputs.empty()) ? value.Get<NdArray>().Contiguous()
                                                                  : value.Get<NdArray>());
    constant.input = index() + 1;
    node.inputs.push_back({-1, constant});
    return Argument{constant};
  }
  if (value.Is<Value::List>()) {
    Argument::List items;
    for (const Value& item : value.Get<Value::List>()) items.push_back(ToArgument(Symbol{item}, layout, node));
    const bool plain =
        std::all_of(items.begin(), items.end(), [](const Argument& item) { return item.known() != nullptr; });
    return plain ? Argument{value} : Argument{std::move(items)};
  }
  return Argument{value};
}

Symbol Inference::ToSymbol(const Argument& argument, const Node& node) const {
  if (const Value* value = argument.known()) return {*value};
  if (const TensorArgument* tensor = argument.tensor()) {
    const NodeInput& input = node.inputs[static_cast<std::size_t>(tensor->input)];
    return input.array >= 0 ? Symbol{input.array} : Symbol{Value(input.constant.values())};
  }
  Symbol::List items;
  if (argument.list() != nullptr) {
    for (const Argument& item : *argument.list()) items.push_back(ToSymbol(item, node));
    return {std::move(items)};
  }
  return {Value()};
}

Symbol Inference::ToSymbol(const OutputPlan& output, Node& node) {
  switch (output.kind) {
    case OutputPlan::Kind::kNew: {
      const int array = AddResult(node);
      graph_.arrays[array] = {output.spec, ArrayMemory::kArena, -1, 0, output.allows_gaps};
      node.outputs.push_back(array);
      return {array};
    }
    case OutputPlan::Kind::kView: {
      const NodeInput& input = node.inputs[static_cast<std::size_t>(output.input)];
      if (input.array < 0) {
        return {Value(input.constant.values().AsStrided(output.spec.shape, output.spec.strides, output.offset))};
      }
      const int array = AddResult(node);
      graph_.SetView(array, output.spec, input.array, output.offset);
      return {array};
    }
    case OutputPlan::Kind::kForward:
      return ToSymbol(output.argument, node);
    case OutputPlan::Kind::kKnown:
      return {output.known};
    case OutputPlan::Kind::kList:
      break;
  }
  Symbol::List items;
  for (const OutputPlan& item : output.items) items.push_back(ToSymbol(item, node));
  return {std::move(items)};
}

int Inference::AddArray(PlannedArray array) {
  graph_.arrays.push_back(std::move(array));
  return static_cast<int>(graph_.arrays.size()) - 1;
}

int Inference::AddResult(Node& node) {
  const bool again = former_ != nullptr && node.made.size() < former_->size();
  node.made.push_back(again ? (*former_)[node.made.size()] : AddArray({}));
  return node.made.back();
}

int Inference::RowMajorCopy(const Node& reader, int array) {
  const TensorSpec spec = graph_.arrays[array].spec;
  if (spec.contiguous()) return array;
  if (const auto known = row_major_.find(array); known != row_major_.end()) {
    Node& copy = graph_.nodes[known->second];
    copy.position = std::min(copy.position, reader.position);
    return copy.outputs.front();
  }
  Node copy;
  copy.kind = Node::Kind::kLayoutCopy;
  copy.op = copy.position = reader.op;
  copy.inputs = {{array, {}}};
  copy.preserved = {0};
  copy.outputs = copy.made = {AddArray({TensorSpec(spec.type, spec.shape)})};
  copy.call.run = [](const RunContext& c) { kernel::Copy(c.inputs[0], c.outputs[0]); };
  graph_.nodes.push_back(std::move(copy));
  Note(graph_.nodes.size() - 1);
  return graph_.nodes.back().outputs.front();
}

}  // namespace kuiper_infer

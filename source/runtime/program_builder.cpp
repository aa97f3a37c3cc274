// SPDX-License-Identifier: MIT
#include "runtime/program_builder.hpp"

#include <algorithm>

#include "kernel/copy.hpp"

namespace kuiper_infer {

ProgramBuilder::ProgramBuilder(const Operators& order, const std::vector<TensorSpec>& inputs) {
  program_.operators = order;
  const auto input_operators = InputOperators(order);
  for (std::size_t i = 0; i < input_operators.size(); ++i) {
    Slot slot;
    slot.spec = TensorSpec(inputs[i].type, inputs[i].shape);
    slot.memory = Slot::Memory::kInput;
    program_.input_slots.push_back(program_.AddSlot(slot));
    const auto& outputs = input_operators[i]->output_operands_seq;
    if (!outputs.empty()) program_.symbols[outputs.front().get()] = Symbol{program_.input_slots.back()};
  }
}

void ProgramBuilder::KeepToEnd(const Symbol& symbol) {
  if (const int* slot = symbol.slot()) program_.slots[program_.RootOf(*slot)].last = Slot::kEnd;
  if (const Symbol::List* list = symbol.list()) {
    for (const Symbol& item : *list) KeepToEnd(item);
  }
}

int ProgramBuilder::ContiguousSlot(std::size_t op, int slot) {
  if (program_.slots[slot].spec.contiguous()) return slot;
  if (const auto copy = contiguous_.find(slot); copy != contiguous_.end()) return copy->second;
  Slot target;
  target.spec = TensorSpec(program_.slots[slot].spec.type, program_.slots[slot].spec.shape);
  Step step;
  step.op = op;
  step.layout_copy = true;
  step.inputs = {Source{slot, {}}};
  step.outputs = {program_.AddSlot(target)};
  step.run = [](const RunContext& c) { kernel::Copy(c.inputs[0], c.outputs[0]); };
  AddStep(std::move(step));
  return contiguous_[slot] = program_.steps.back().outputs.front();
}

void ProgramBuilder::AddStep(Step step) {
  const auto index = static_cast<int64_t>(program_.steps.size());
  for (const Source& source : step.inputs) {
    if (source.slot < 0) continue;
    Slot& root = program_.slots[program_.RootOf(source.slot)];
    root.last = std::max(root.last, index);
  }
  program_.multiply_adds += step.multiply_adds;
  program_.steps.push_back(std::move(step));
}

Argument ProgramBuilder::ToArgument(std::size_t op, const Symbol& symbol, InputLayout layout,
                                    std::vector<Source>& sources) {
  const auto index = [&] { return static_cast<int>(sources.size()) - 1; };
  if (const int* slot = symbol.slot()) {
    const int used = NeedsRowMajor(layout, sources.empty()) ? ContiguousSlot(op, *slot) : *slot;
    sources.push_back({used, {}});
    return Argument{TensorArgument{program_.slots[used].spec, index(), {}}};
  }
  if (const Symbol::List* list = symbol.list()) {
    Argument::List items;
    for (const Symbol& item : *list) items.push_back(ToArgument(op, item, layout, sources));
    return Argument{std::move(items)};
  }
  const Value& value = *symbol.known();
  if (value.Is<NdArray>()) {
    const NdArray& array = value.Get<NdArray>();
    sources.push_back({-1, NeedsRowMajor(layout, sources.empty()) ? array.Contiguous() : array});
    return Argument{TensorArgument{sources.back().constant.spec(), index(), sources.back().constant}};
  }
  if (value.Is<Value::List>()) {
    Argument::List items;
    for (const Value& item : value.Get<Value::List>()) items.push_back(ToArgument(op, Symbol{item}, layout, sources));
    const bool plain =
        std::all_of(items.begin(), items.end(), [](const Argument& item) { return item.known() != nullptr; });
    return plain ? Argument{value} : Argument{std::move(items)};
  }
  return Argument{value};
}

Symbol ProgramBuilder::ToSymbol(const Argument& argument, const std::vector<Source>& sources) const {
  if (const Value* value = argument.known()) return {*value};
  if (const TensorArgument* tensor = argument.tensor()) {
    const Source& source = sources[tensor->input];
    return source.slot >= 0 ? Symbol{source.slot} : Symbol{Value(source.constant)};
  }
  Symbol::List items;
  if (argument.list() != nullptr) {
    for (const Argument& item : *argument.list()) items.push_back(ToSymbol(item, sources));
    return {std::move(items)};
  }
  return {Value()};
}

Symbol ProgramBuilder::ToSymbol(const OutputPlan& output, const std::vector<Source>& sources,
                                std::vector<int>& created) {
  switch (output.kind) {
    case OutputPlan::Kind::kNew: {
      Slot slot;
      slot.spec = output.spec;
      created.push_back(program_.AddSlot(slot));
      return {created.back()};
    }
    case OutputPlan::Kind::kView: {
      const Source& source = sources[output.input];
      if (source.slot < 0) {
        return {Value(source.constant.Window(output.spec.shape, output.spec.strides, output.offset))};
      }
      return {AddView(source.slot, output)};
    }
    case OutputPlan::Kind::kForward:
      return ToSymbol(output.argument, sources);
    case OutputPlan::Kind::kKnown:
      return {output.known};
    case OutputPlan::Kind::kList:
      break;
  }
  Symbol::List items;
  for (const OutputPlan& item : output.items) items.push_back(ToSymbol(item, sources, created));
  return {std::move(items)};
}

int ProgramBuilder::AddView(int slot, const OutputPlan& output) {
  const Slot base = program_.slots[slot];
  Slot view;
  view.spec = output.spec;
  view.memory = Slot::Memory::kView;
  view.root = program_.RootOf(slot);
  view.offset = (base.memory == Slot::Memory::kView ? base.offset : 0) +
                output.offset * static_cast<int64_t>(ElementBytes(output.spec.type));
  const int index = program_.AddSlot(view);
  program_.slots[index].written = base.written;
  return index;
}

void ProgramBuilder::CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol) {
  if (symbol.slot() == nullptr || !operand.has_shape) return;
  const Shape& shape = program_.slots[*symbol.slot()].spec.shape;
  bool differs = shape.size() != operand.shapes.size();
  for (std::size_t i = 0; !differs && i < shape.size(); ++i) {
    differs = operand.shapes[i] >= 0 && operand.shapes[i] != shape[i];
  }
  if (differs) {
    program_.warnings.push_back("operator '" + op.name + "' (" + op.type + "): operand '" + operand.name +
                                "' has shape " + ShapeString(shape) + ", the file records " +
                                ShapeString(Shape(operand.shapes.begin(), operand.shapes.end())));
  }
}

void ProgramBuilder::SetOutputs(const RuntimeOperator& op, std::vector<Symbol> results) {
  std::optional<std::vector<Symbol>> list;
  if (results.size() == 1 && results.front().list() != nullptr) list = *results.front().list();
  if (results.size() == 1 && results.front().known() != nullptr && results.front().known()->Is<Value::List>()) {
    list.emplace();
    for (const Value& item : results.front().known()->Get<Value::List>()) list->push_back({item});
  }
  DealOutResults(op, results, std::move(list));
  const auto& operands = op.output_operands_seq;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    lists_.Add(op, *operands[i], results[i]);
    CheckRecorded(op, *operands[i], results[i]);
    program_.symbols[operands[i].get()] = std::move(results[i]);
  }
}

}  // namespace kuiper_infer

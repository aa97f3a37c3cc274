// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kernel/copy.hpp"
#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "runtime/arena.hpp"
#include "runtime/fusion.hpp"
#include "runtime/placement.hpp"
#include "runtime/program.hpp"

namespace kuiper_infer {
namespace {

bool IsHalf(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeFloat16 || type == RuntimeDataType::kTypeBFloat16;
}

class Planner {
 public:
  Planner(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all, const Placements& placements)
      : keep_all_(keep_all), placer_(placements) {
    program_.operators = order;
    for (const auto& op : order) {
      for (const auto& operand : op->input_operands_seq) ++readers_[operand.get()];
    }
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

  Program Run() {
    for (std::size_t i = 0; i < program_.operators.size(); ++i) PlanOperator(i);
    for (const auto& output : OutputOperators(program_.operators)) {
      const RuntimeOperand* operand = output->input_operands_seq.front().get();
      program_.output_operands.push_back(operand);
      KeepToEnd(program_.symbols.at(operand));
    }
    PlaceInArena(program_, keep_all_);
    return std::move(program_);
  }

 private:
  void KeepToEnd(const Symbol& symbol) {
    if (const int* slot = symbol.slot()) program_.slots[program_.RootOf(*slot)].last = Slot::kEnd;
    if (const Symbol::List* list = symbol.list()) {
      for (const Symbol& item : *list) KeepToEnd(item);
    }
  }

  static bool ContainsDynamic(const Symbol& symbol) {
    const Symbol::List* list = symbol.list();
    return symbol.dynamic() || (list != nullptr && std::any_of(list->begin(), list->end(), ContainsDynamic));
  }

  /// A slot with the same contents in row-major order.
  int ContiguousSlot(std::size_t op, int slot) {
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

  void AddStep(Step step) {
    const auto index = static_cast<int64_t>(program_.steps.size());
    for (const Source& source : step.inputs) {
      if (source.slot < 0) continue;
      Slot& root = program_.slots[program_.RootOf(source.slot)];
      root.last = std::max(root.last, index);
    }
    program_.multiply_adds += step.multiply_adds;
    program_.steps.push_back(std::move(step));
  }

  /// Numbers the arrays in a symbol; `sources` grows in the order of TensorArgument::input.
  Argument ToArgument(std::size_t op, const Symbol& symbol, InputLayout layout, std::vector<Source>& sources) {
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

  Symbol ToSymbol(const Argument& argument, const std::vector<Source>& sources) const {
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

  Symbol ToSymbol(const OutputPlan& output, const std::vector<Source>& sources, std::vector<int>& created) {
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

  int AddView(int slot, const OutputPlan& output) {
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

  void PlanOperator(std::size_t index) {
    const RuntimeOperator& op = *program_.operators[index];
    if (op.type == "pnnx.Input" || op.type == "pnnx.Output") return;
    const auto* layer = dynamic_cast<const OperatorLayer*>(op.layer.get());
    bool dynamic = layer == nullptr;
    for (const auto& operand : op.input_operands_seq) {
      dynamic = dynamic || ContainsDynamic(program_.symbols.at(operand.get()));
    }
    try {
      if (dynamic || !PlanStatic(index, op, *layer)) PlanDynamic(index, op);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kShape) throw;
      throw Error(error.code(), error.what() + NameConstants(op));
    }
  }

  /// For messages about shapes: which of the operator's inputs are constants of the file, made for the input shapes
  /// that were recorded.
  std::string NameConstants(const RuntimeOperator& op) const {
    std::string names;
    for (const auto& operand : op.input_operands_seq) {
      for (const auto& producer : program_.operators) {
        const auto& results = producer->output_operands_seq;
        const bool constant = producer->type == "pnnx.Attribute" && results.size() == 1 && results.front() == operand;
        if (constant) names += "; input '" + operand->name + "' is the constant of operator '" + producer->name + "'";
      }
    }
    return names;
  }

  /// False when shapes or arguments depend on data.
  bool PlanStatic(std::size_t index, const RuntimeOperator& op, const OperatorLayer& layer) {
    const InputLayout layout = LayoutOf(op.type);
    std::vector<Source> sources;
    std::vector<Argument> arguments;
    for (const auto& operand : op.input_operands_seq) {
      arguments.push_back(ToArgument(index, program_.symbols.at(operand.get()), layout, sources));
    }
    const bool computed = std::any_of(sources.begin(), sources.end(), [](const Source& s) { return s.slot >= 0; });
    const bool half = std::any_of(sources.begin(), sources.end(), [this](const Source& source) {
      return IsHalf(source.slot >= 0 ? program_.slots[source.slot].spec.type : source.constant.type());
    });
    if (half && computed) return false;
    if (!computed && !IsRandom(op.type)) {
      FoldConstant(op, layer);
      return true;
    }
    const Binding binding = Bind(layer.call(), arguments, static_cast<int>(sources.size()));
    if (binding.needs_values || binding.operation->kind == OperationKind::kDataDependent) return false;
    OperationPlan plan = MakePlan(binding);
    if (plan.data_dependent) return false;
    for (const TensorArgument& constant : binding.constants) sources.push_back({-1, KeptValues(plan, constant)});
    if (const int slot = keep_all_ ? -1 : FuseIntoProducer(program_, readers_, op, sources, plan); slot >= 0) {
      SetOutputs(op, {Symbol{slot}});
      placer_.Place(program_, op, slot);
      return true;
    }

    Step step;
    if (!keep_all_) {
      step.fusion = TakeOverFactor(program_, readers_, op, sources, plan);
      if (step.fusion.factor < 0) TakeOverConvolution(program_, readers_, op, sources, plan);
      TakeOverElementwise(program_, readers_, op, sources, plan);
    }
    std::vector<Symbol> results;
    if (const int slot = placer_.FindTarget(program_, op, plan); slot >= 0) {
      step.outputs = {slot};
      results = {Symbol{slot}};
    } else if (const int view = FindNeighbours(program_, plan, sources); view >= 0) {
      results = {Symbol{view}};
    } else {
      for (const OutputPlan& output : plan.outputs) results.push_back(ToSymbol(output, sources, step.outputs));
    }
    SetOutputs(op, std::move(results));
    if (step.outputs.empty()) return true;
    step.op = index;
    step.run = std::move(plan.run);
    step.inputs = std::move(sources);
    step.workspace_bytes = plan.workspace_bytes;
    step.multiply_adds = plan.multiply_adds;
    step.method = std::move(plan.method);
    step.run_fused = std::move(plan.run_fused);
    step.product = plan.product;
    step.pieces = std::move(plan.pieces);
    step.stages = std::move(plan.stages);
    step.elementwise = std::move(plan.elementwise);
    step.strided_output = plan.strided_output;
    if (op.output_operands_seq.size() == 1) step.result = op.output_operands_seq.front().get();
    AddStep(std::move(step));
    const Step& added = program_.steps.back();
    if (added.result != nullptr && added.outputs.size() == 1) placer_.Place(program_, op, added.outputs.front());
    return true;
  }

  /// What a step keeps of a constant; a weight that it has in packed form is given up here.
  static NdArray KeptValues(const OperationPlan& plan, const TensorArgument& constant) {
    for (const OperationPlan::PackedInput& packed : plan.packed_inputs) {
      if (packed.input != constant.input) continue;
      if (packed.restore) constant.weight->ReplaceBy(packed.restore);
      return NdArray::View(nullptr, constant.spec, constant.weight);
    }
    return constant.values();
  }

  /// All inputs are known: the operator is computed once, now.
  void FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) {
    std::vector<Value> inputs;
    for (const auto& operand : op.input_operands_seq) {
      inputs.push_back(ToValue(program_.symbols.at(operand.get())));
    }
    std::vector<Symbol> results;
    for (Value& value : Evaluate(layer.call(), inputs)) results.push_back({std::move(value)});
    SetOutputs(op, std::move(results));
  }

  static Value ToValue(const Symbol& symbol) {
    if (const Value* value = symbol.known()) return *value;
    Value::List items;
    if (symbol.list() != nullptr) {
      for (const Symbol& item : *symbol.list()) items.push_back(ToValue(item));
    }
    return items;
  }

  void PlanDynamic(std::size_t index, const RuntimeOperator& op) {
    for (const auto& operand : op.input_operands_seq) KeepToEnd(program_.symbols.at(operand.get()));
    Step step;
    step.op = index;
    step.dynamic = true;
    for (const auto& operand : op.output_operands_seq) program_.symbols[operand.get()] = Symbol{Symbol::Dynamic{}};
    AddStep(std::move(step));
  }

  void SetOutputs(const RuntimeOperator& op, std::vector<Symbol> results);
  void CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol);

  bool keep_all_;
  Placer placer_;
  Program program_;
  std::map<int, int> contiguous_;
  ReaderCounts readers_;
};

void Planner::CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol) {
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

void Planner::SetOutputs(const RuntimeOperator& op, std::vector<Symbol> results) {
  std::optional<std::vector<Symbol>> list;
  if (results.size() == 1 && results.front().list() != nullptr) list = *results.front().list();
  if (results.size() == 1 && results.front().known() != nullptr && results.front().known()->Is<Value::List>()) {
    list.emplace();
    for (const Value& item : results.front().known()->Get<Value::List>()) list->push_back({item});
  }
  DealOutResults(op, results, std::move(list));
  const auto& operands = op.output_operands_seq;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    CheckRecorded(op, *operands[i], results[i]);
    program_.symbols[operands[i].get()] = std::move(results[i]);
  }
}

}  // namespace

Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all) {
  const Operators used = keep_all ? order : WithoutDead(order);
  const Placements none;
  Program plain = Planner(used, inputs, keep_all, none).Run();
  const Placements placements = keep_all ? Placements{} : FindPlacements(plain);
  if (placements.empty()) return plain;
  Program placed = Planner(used, inputs, keep_all, placements).Run();
  // A result that is alive from its first part on may need more memory than its parts.
  constexpr double kMostGrowth = 1.2;
  const bool larger = static_cast<double>(placed.arena_bytes) > kMostGrowth * static_cast<double>(plain.arena_bytes);
  return larger ? plain : placed;
}

}  // namespace kuiper_infer

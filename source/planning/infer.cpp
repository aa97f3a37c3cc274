// SPDX-License-Identifier: MIT
#include "planning/infer.hpp"

#include <algorithm>
#include <optional>

#include "kernel/movement/copy.hpp"
#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "operation/half_results.hpp"
#include "operation/operator_errors.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

bool ContainsDynamic(const Symbol& symbol) {
  const Symbol::List* list = symbol.list();
  return symbol.dynamic() || (list != nullptr && std::any_of(list->begin(), list->end(), ContainsDynamic));
}

Value ToValue(const Symbol& symbol) {
  if (const Value* value = symbol.known()) return *value;
  Value::List items;
  if (symbol.list() != nullptr) {
    for (const Symbol& item : *symbol.list()) items.push_back(ToValue(item));
  }
  return items;
}

bool SameArrays(const Symbol& a, const Symbol& b) {
  std::vector<int> first;
  std::vector<int> second;
  ForEachArray(a, [&](int array) { first.push_back(array); });
  ForEachArray(b, [&](int array) { second.push_back(array); });
  return first == second && (a.known() != nullptr) == (b.known() != nullptr);
}

bool IsWritten(const Node& node, int array) {
  return std::find(node.outputs.begin(), node.outputs.end(), array) != node.outputs.end();
}

/// One result for each operand of the operator.
std::vector<Symbol> DealOut(const RuntimeOperator& op, std::vector<Symbol> results) {
  std::optional<std::vector<Symbol>> list;
  if (results.size() == 1 && results.front().list() != nullptr) list = *results.front().list();
  if (results.size() == 1 && results.front().known() != nullptr && results.front().known()->Is<Value::List>()) {
    list.emplace();
    for (const Value& item : results.front().known()->Get<Value::List>()) list->push_back({item});
  }
  DealOutResults(op, results, std::move(list));
  return results;
}

}  // namespace

Inference::Inference(PlanningGraph& graph, const PlanningContext& context) : graph_(graph), context_(context) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].kind == Node::Kind::kLayoutCopy) row_major_[graph.nodes[i].inputs.front().array] = i;
  }
}

void Inference::Start(const std::vector<TensorSpec>& inputs) {
  const Operators operators = InputOperators(graph_.operators);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    graph_.input_arrays.push_back(AddArray({TensorSpec(inputs[i].type, inputs[i].shape), ArrayMemory::kInput}));
    const auto& outputs = operators[i]->output_operands_seq;
    if (!outputs.empty()) graph_.symbols[outputs.front().get()] = Symbol{graph_.input_arrays.back()};
  }
  for (const auto& output : OutputOperators(graph_.operators)) {
    graph_.output_operands.push_back(output->input_operands_seq.front().get());
  }
}

void Inference::Infer(std::size_t index) {
  const RuntimeOperator& op = *graph_.operators[index];
  if (op.type == "pnnx.Input" || op.type == "pnnx.Output") return;
  lists_.CheckInputs(op);
  Inferred inferred = MakeNode(index);
  const auto& operands = op.output_operands_seq;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    lists_.Add(op, *operands[i], inferred.results[i]);
    CheckRecorded(op, *operands[i], inferred.results[i]);
    graph_.symbols[operands[i].get()] = std::move(inferred.results[i]);
  }
  const bool runs = inferred.node.kind == Node::Kind::kDynamic || !inferred.node.made.empty();
  if (runs) graph_.nodes.push_back(std::move(inferred.node));
}

const Node* Inference::FindNode(std::size_t op) const {
  const auto found = std::find_if(graph_.nodes.begin(), graph_.nodes.end(), [&](const Node& node) {
    return node.alive && node.op == op && node.kind != Node::Kind::kLayoutCopy;
  });
  return found != graph_.nodes.end() ? &*found : nullptr;
}

bool Inference::InferAgain(std::size_t index, std::vector<bool>& changed) {
  const RuntimeOperator& op = *graph_.operators[index];
  const Node* known = FindNode(index);
  if (known == nullptr) return StaysFused(op);
  if (known->kind == Node::Kind::kDynamic) return true;  // it reads any layout
  const auto number = static_cast<std::size_t>(known - graph_.nodes.data());
  const Node before = *known;
  std::vector<PlannedArray> arrays;
  for (const int array : before.made) arrays.push_back(graph_.arrays[array]);

  former_ = &before.made;
  Inferred again = MakeNode(index);
  former_ = nullptr;
  bool same = again.node.made == before.made && again.node.kind != Node::Kind::kDynamic;
  for (std::size_t i = 0; same && i < again.results.size(); ++i) {
    same = SameArrays(again.results[i], graph_.symbols.at(op.output_operands_seq[i].get()));
  }
  if (!same) return false;
  changed.resize(graph_.arrays.size(), false);
  bool fused = false;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    PlannedArray& array = graph_.arrays[before.made[i]];
    const bool passed_on = arrays[i].memory == ArrayMemory::kNone;
    const bool placed = arrays[i].memory == ArrayMemory::kView && IsWritten(before, before.made[i]);
    fused = fused || passed_on;
    if (passed_on || placed) {
      if (CommonOrder({array.spec}) != CommonOrder({arrays[i].spec})) return false;
      array = arrays[i];
    }
    changed[before.made[i]] = changed[before.made[i]] || array.spec.strides != arrays[i].spec.strides;
  }
  if (before.fusion.addend >= 0) {
    if (again.node.inputs.size() != static_cast<std::size_t>(before.fusion.addend)) return false;
    again.node.inputs.push_back(before.inputs.back());
  }
  if (fused) again.node.outputs = before.outputs;
  again.node.fusion = before.fusion;
  again.node.position = before.position;
  graph_.nodes[number] = std::move(again.node);
  return CanStillFuse(graph_.nodes[number]);
}

bool Inference::CanStillFuse(const Node& node) const {
  const bool fuses = node.fusion.addend >= 0 || node.fusion.activation.function != nullptr;
  return !fuses || (node.computation != nullptr && node.computation->CanFuse(FusionOf(graph_, node)));
}

bool Inference::StaysFused(const RuntimeOperator& op) const {
  for (const auto& operand : op.output_operands_seq) {
    const int* array = graph_.symbols.at(operand.get()).slot();
    if (array == nullptr) continue;
    for (const Node& node : graph_.nodes) {
      if (node.alive && IsWritten(node, *array) && !CanStillFuse(node)) return false;
    }
  }
  return true;
}

Inference::Inferred Inference::MakeNode(std::size_t index) {
  const RuntimeOperator& op = *graph_.operators[index];
  Inferred inferred;
  inferred.node.op = inferred.node.position = index;
  const auto* layer = dynamic_cast<const OperatorLayer*>(op.layer.get());
  bool dynamic = layer == nullptr;
  for (const auto& operand : op.input_operands_seq) {
    dynamic = dynamic || ContainsDynamic(graph_.symbols.at(operand.get()));
  }
  try {
    if (dynamic || !BindStatic(op, *layer, inferred)) BindDynamic(inferred);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kShape) throw;
    throw Error(error.code(), error.what() + NameConstants(op));
  }
  return inferred;
}

bool Inference::BindStatic(const RuntimeOperator& op, const OperatorLayer& layer, Inferred& inferred) {
  Node& node = inferred.node;
  const InputLayout layout = LayoutOf(op.type);
  std::vector<Argument> arguments;
  for (const auto& operand : op.input_operands_seq) {
    arguments.push_back(ToArgument(graph_.symbols.at(operand.get()), layout, node));
  }
  const auto& inputs = node.inputs;
  const bool computed =
      std::any_of(inputs.begin(), inputs.end(), [](const NodeInput& input) { return input.array >= 0; });
  const bool half = std::any_of(inputs.begin(), inputs.end(), [this](const NodeInput& input) {
    return IsHalf(input.array >= 0 ? graph_.arrays[input.array].spec.type : input.constant.spec.type);
  });
  if (half && computed) return false;
  if (!computed && !IsRandom(op.type)) {
    inferred.results = FoldConstant(op, layer);
    return true;
  }
  auto plan = NamingOperator(op.name, op.type, [&]() -> std::optional<OperationPlan> {
    const Binding binding = Bind(layer.call(), arguments, static_cast<int>(inputs.size()), context_);
    if (binding.needs_values || binding.operation->kind == OperationKind::kDataDependent) return std::nullopt;
    OperationPlan made = MakePlan(binding);
    if (made.data_dependent) return std::nullopt;
    for (const TensorArgument& constant : binding.constants) node.inputs.push_back({-1, constant});
    return made;
  });
  if (!plan) return false;
  std::vector<Symbol> results;
  for (const OutputPlan& output : plan->outputs) results.push_back(ToSymbol(output, node));
  inferred.results = DealOut(op, std::move(results));
  if (node.outputs.empty()) node.kind = Node::Kind::kView;
  node.computation = std::move(plan->computation);
  node.call = std::move(static_cast<KernelCall&>(*plan));
  return true;
}

/// All inputs are known: the operator is computed once, now.
std::vector<Symbol> Inference::FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) const {
  std::vector<Value> inputs;
  for (const auto& operand : op.input_operands_seq) inputs.push_back(ToValue(graph_.symbols.at(operand.get())));
  std::vector<Symbol> results;
  for (Value& value : Evaluate(layer.call(), inputs, context_)) results.push_back({std::move(value)});
  return DealOut(op, std::move(results));
}

void Inference::BindDynamic(Inferred& inferred) {
  const std::size_t op = inferred.node.op;
  inferred.node = Node{};
  inferred.node.kind = Node::Kind::kDynamic;
  inferred.node.op = inferred.node.position = op;
  inferred.results.assign(graph_.operators[op]->output_operands_seq.size(), Symbol{Symbol::Dynamic{}});
}

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
        return {Value(input.constant.values().Window(output.spec.shape, output.spec.strides, output.offset))};
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
  copy.outputs = copy.made = {AddArray({TensorSpec(spec.type, spec.shape)})};
  copy.call.run = [](const RunContext& c) { kernel::Copy(c.inputs[0], c.outputs[0]); };
  row_major_[array] = graph_.nodes.size();
  graph_.nodes.push_back(std::move(copy));
  return graph_.nodes.back().outputs.front();
}

void Inference::CheckRecorded(const RuntimeOperator& op, const RuntimeOperand& operand, const Symbol& symbol) {
  if (symbol.slot() == nullptr || !operand.has_shape) return;
  const Shape& shape = graph_.arrays[*symbol.slot()].spec.shape;
  bool differs = shape.size() != operand.shapes.size();
  for (std::size_t i = 0; !differs && i < shape.size(); ++i) {
    differs = operand.shapes[i] >= 0 && operand.shapes[i] != shape[i];
  }
  if (differs) {
    graph_.warnings.push_back("operator '" + op.name + "' (" + op.type + "): operand '" + operand.name +
                              "' has shape " + ShapeString(shape) + ", the file records " +
                              ShapeString(Shape(operand.shapes.begin(), operand.shapes.end())));
  }
}

/// For messages about shapes: which of the operator's inputs are constants of the file, made for the input shapes that
/// were recorded.
std::string Inference::NameConstants(const RuntimeOperator& op) const {
  std::string names;
  for (const auto& operand : op.input_operands_seq) {
    for (const auto& producer : graph_.operators) {
      const auto& results = producer->output_operands_seq;
      const bool constant = producer->type == "pnnx.Attribute" && results.size() == 1 && results.front() == operand;
      if (constant) names += "; input '" + operand->name + "' is the constant of operator '" + producer->name + "'";
    }
  }
  return names;
}

}  // namespace kuiper_infer

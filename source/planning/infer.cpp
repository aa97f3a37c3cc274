// SPDX-License-Identifier: MIT
#include "planning/infer.hpp"

#include <algorithm>
#include <optional>

#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "operation/half_results.hpp"
#include "operation/operator_errors.hpp"
#include "planning/array_layer_plan.hpp"

namespace kuiper_infer {
namespace {

/// Adds the parts of a symbol that are known only during a run to `found`.
void FindDynamic(const Symbol& symbol, std::optional<Symbol::Dynamic>& found) {
  if (const Symbol::Dynamic* dynamic = symbol.dynamic()) {
    found = Symbol::Dynamic{dynamic->free_shape || (found && found->free_shape)};
  }
  if (const Symbol::List* list = symbol.list()) {
    for (const Symbol& item : *list) FindDynamic(item, found);
  }
}

/// Whether the shapes of an operation's results may depend on the contents of its inputs. This includes operations that
/// read index numbers, because an index may be a mask.
bool MayReadShapes(const std::string& type) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(type);
  return std::any_of(rows.begin(), rows.end(), [](const Operation& row) {
    return row.kind == OperationKind::kDataDependent || row.family() == "indexing";
  });
}

/// Whether the shapes of a call's results depend on the contents of its inputs, or the call cannot be planned.
bool ReadsShapes(const OperatorCall& call, const std::vector<Argument>& arguments, int inputs,
                 const PlanningContext& context) {
  try {
    const Binding binding = Bind(call, arguments, inputs, context);
    return binding.needs_values || binding.operation->kind == OperationKind::kDataDependent ||
           MakePlan(binding).data_dependent;
  } catch (const Error&) {
    return MayReadShapes(call.type);
  }
}

Value ToValue(const Symbol& symbol) {
  if (const Value* value = symbol.known()) return *value;
  Value::List items;
  if (symbol.list() != nullptr) {
    for (const Symbol& item : *symbol.list()) items.push_back(ToValue(item));
  }
  return items;
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
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) Note(i);
}

void Inference::Note(std::size_t index) {
  const Node& node = graph_.nodes[index];
  if (!node.alive) return;
  for (const int array : node.outputs) writer_of_[array] = index;
  if (node.kind == Node::Kind::kLayoutCopy) {
    row_major_[node.inputs.front().array] = index;
  } else {
    node_of_[node.op] = index;
  }
}

void Inference::Start(const std::vector<TensorSpec>& inputs) {
  const Operators operators = InputOperators(graph_.operators);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    GrowingSlots* growing = nullptr;
    for (GrowingSlots& each : graph_.growing) growing = each.input.input == i ? &each : growing;
    const ArrayMemory memory = growing != nullptr ? ArrayMemory::kGrowing : ArrayMemory::kInput;
    const TensorSpec& given = inputs[i];
    const TensorSpec spec =
        growing != nullptr ? growing->input.KeptSpec(given.type, given.shape) : TensorSpec(given.type, given.shape);
    graph_.input_arrays.push_back(AddArray({spec, memory}));
    if (growing != nullptr) growing->past = graph_.input_arrays.back();
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
  if (!runs) return;
  graph_.nodes.push_back(std::move(inferred.node));
  Note(graph_.nodes.size() - 1);
}

Inference::Inferred Inference::MakeNode(std::size_t index) {
  const RuntimeOperator& op = *graph_.operators[index];
  Inferred inferred;
  inferred.node.op = inferred.node.position = index;
  const auto* layer = dynamic_cast<const OperatorLayer*>(op.layer.get());
  const auto own = std::dynamic_pointer_cast<const ArrayLayer>(op.layer);
  std::optional<Symbol::Dynamic> dynamic;
  for (const auto& operand : op.input_operands_seq) FindDynamic(graph_.symbols.at(operand.get()), dynamic);
  if (layer == nullptr && own == nullptr && !dynamic) dynamic.emplace();
  if (dynamic) inferred.unknown.free_shape = dynamic->free_shape || MayReadShapes(op.type);
  const auto growing = std::find_if(graph_.growing.begin(), graph_.growing.end(),
                                    [&op](const GrowingSlots& each) { return each.input.join == &op; });
  try {
    if (growing != graph_.growing.end()) {
      BindAppend(op, *growing, inferred);
    } else if (!dynamic && own != nullptr && !ReadsVarying(op)) {
      BindArrayLayer(op, own, inferred);
    } else if (dynamic || layer == nullptr || !BindStatic(op, *layer, inferred)) {
      BindDynamic(inferred);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kShape) throw;
    throw Error(error.code(), error.what() + NameConstants(op));
  }
  return inferred;
}

bool Inference::BindStatic(const RuntimeOperator& op, const OperatorLayer& layer, Inferred& inferred) {
  Node& node = inferred.node;
  const InputLayout layout = LayoutOf(op.type);
  const bool varies = ReadsVarying(op);
  const auto& results = op.output_operands_seq;
  const bool shapes_stay =
      std::none_of(results.begin(), results.end(), [this](const auto& operand) { return VariesInShape(*operand); });
  if (varies && (layout != InputLayout::kStrided || !shapes_stay)) return false;
  std::vector<Argument> arguments;
  for (const auto& operand : op.input_operands_seq) {
    arguments.push_back(ToArgument(graph_.symbols.at(operand.get()), layout, node));
  }
  const auto& inputs = node.inputs;
  const bool computed =
      std::any_of(inputs.begin(), inputs.end(), [](const NodeInput& input) { return input.array >= 0; });
  const bool half = std::any_of(inputs.begin(), inputs.end(), [this](const NodeInput& input) {
    const RuntimeDataType type = input.array >= 0 ? graph_.arrays[input.array].spec.type : input.constant.spec.type;
    return IsHalf(type) && !IsKeptState(input.array);
  });
  if (half && computed) {
    inferred.unknown.free_shape = ReadsShapes(layer.call(), arguments, static_cast<int>(inputs.size()), context_);
    return false;
  }
  if (!computed && !IsRandom(op.type)) {
    inferred.results = FoldConstant(op, layer);
    return true;
  }
  auto plan = NamingOperator(op.name, op.type, [&]() -> std::optional<OperationPlan> {
    const Binding binding = Bind(layer.call(), arguments, static_cast<int>(inputs.size()), context_);
    if (binding.needs_values || binding.operation->kind == OperationKind::kDataDependent) return std::nullopt;
    OperationPlan made = MakePlan(binding);
    if (made.data_dependent || (varies && !made.reads_specs)) return std::nullopt;
    for (const TensorArgument& constant : binding.constants) node.inputs.push_back({-1, constant});
    node.preserved = PreservedInputs(binding.operation->values, binding.arguments);
    return made;
  });
  if (!plan) {
    inferred.unknown.free_shape = true;
    return false;
  }
  std::vector<Symbol> symbols;
  for (const OutputPlan& output : plan->outputs) symbols.push_back(ToSymbol(output, node));
  inferred.results = DealOut(op, std::move(symbols));
  if (node.outputs.empty()) node.kind = Node::Kind::kView;
  node.computation = std::move(plan->computation);
  node.fusion.result.grid = plan->grid;
  node.call = std::move(static_cast<KernelCall&>(*plan));
  return true;
}

void Inference::BindArrayLayer(const RuntimeOperator& op, const std::shared_ptr<const ArrayLayer>& layer,
                               Inferred& inferred) {
  Node& node = inferred.node;
  std::vector<Argument> arguments;
  for (const auto& operand : op.input_operands_seq) {
    arguments.push_back(ToArgument(graph_.symbols.at(operand.get()), InputLayout::kRowMajor, node));
  }
  OperationPlan plan = PlanArrayLayer(op, layer, arguments);
  for (const OutputPlan& output : plan.outputs) inferred.results.push_back(ToSymbol(output, node));
  node.call = std::move(static_cast<KernelCall&>(plan));
}

/// Computes an operator whose inputs are all known; its results are known from then on.
std::vector<Symbol> Inference::FoldConstant(const RuntimeOperator& op, const OperatorLayer& layer) const {
  std::vector<Value> inputs;
  for (const auto& operand : op.input_operands_seq) inputs.push_back(ToValue(graph_.symbols.at(operand.get())));
  std::vector<Symbol> results;
  for (Value& value : Evaluate(layer.call(), inputs, context_)) results.push_back({std::move(value)});
  return DealOut(op, std::move(results));
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

/// Names the constants of the file that an operator reads, for messages about shapes: a constant was made for the input
/// shapes that the file records.
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

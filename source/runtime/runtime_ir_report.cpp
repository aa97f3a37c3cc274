// SPDX-License-Identifier: MIT
#include <algorithm>

#include "data/memory_budget.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operation/weights/weight.hpp"
#include "runtime/classic_layer.hpp"
#include "runtime/graph_builder.hpp"
#include "runtime/runtime_graph_impl.hpp"

namespace kuiper_infer {

namespace {

std::vector<std::string> NamesOf(const Operators& operators) {
  std::vector<std::string> names;
  for (const auto& op : operators) names.push_back(op->name);
  return names;
}

bool HoldsName(const Operators& operators, const std::string& name) {
  return std::any_of(operators.begin(), operators.end(), [&](const auto& op) { return op->name == name; });
}

/// RuntimeGraph::State::max_length of a state.
int64_t MaxLength(const BuiltGraph& graph, const StatePair& pair) {
  if (!pair.growing || pair.window > 0) return 0;
  const int64_t in_file = graph.ranges().MaxExtent(pair.input, static_cast<std::size_t>(pair.growing->axis));
  const int64_t in_options = graph.options.max_state_length;
  if (in_file < 0) return in_options;
  return in_options > 0 ? std::min(in_file, in_options) : in_file;
}

/// Returns the bytes that the attribute takes in memory in the file's layout.
int64_t HeldBytes(const RuntimeAttribute& attribute) {
  const bool held = attribute.weight != nullptr && attribute.weight->holds_values();
  return static_cast<int64_t>(attribute.weight_data.size()) +
         (held ? ByteCount(attribute.weight->spec().type, attribute.weight->spec().shape) : 0);
}

/// The count of numbers of a weight. If it is stored in integers, its scales and zero points don't count, and a byte
/// may hold two numbers.
int64_t CountNumbers(const RuntimeOperator& op, const std::string& name, const RuntimeAttribute& attribute) {
  if (name.find(".q_") != std::string::npos) return 0;
  const bool two_a_byte =
      attribute.type == RuntimeDataType::kTypeUInt8 && op.attribute.count(name + ".q_group_scales") > 0;
  return ElementCount(Shape(attribute.shape.begin(), attribute.shape.end())) * (two_a_byte ? 2 : 1);
}

}  // namespace

std::vector<std::string> RuntimeGraph::input_names() const {
  const BuiltGraph& graph = *impl_->graph;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (graph.states.OfInput(i) == nullptr) names.push_back(graph.inputs[i]->name);
  }
  return names;
}

std::vector<std::string> RuntimeGraph::output_names() const {
  const BuiltGraph& graph = *impl_->graph;
  if (graph.states.empty()) return NamesOf(graph.outputs);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.states.outputs.size(); ++i) {
    const std::string& name = graph.outputs[graph.states.outputs[i].output]->name;
    const bool known = !names.empty() && names.back() == name;
    if (graph.states.OfOutput(i) == nullptr && !known) names.push_back(name);
  }
  return names;
}

std::vector<RuntimeGraph::State> RuntimeGraph::states() const {
  const BuiltGraph& graph = *impl_->graph;
  std::vector<State> states;
  for (const StatePair& pair : graph.states.pairs) {
    State state;
    state.input = pair.name;
    state.output = graph.states.outputs[pair.output].name;
    state.spec = BuiltGraph::RecordedSpec(*graph.inputs[pair.input]);
    state.axis = pair.growing ? pair.growing->axis : -1;
    state.kept = pair.growing ? pair.growing->stored.value_or(state.spec.type) : state.spec.type;
    state.window = pair.window;
    state.max_length = MaxLength(graph, pair);
    states.push_back(std::move(state));
  }
  return states;
}

TensorSpec RuntimeGraph::input_spec(const std::string& input_name) const {
  const BuiltGraph& graph = *impl_->graph;
  return BuiltGraph::RecordedSpec(*graph.inputs[graph.FindInput(input_name)]);
}

std::vector<TensorSpec> RuntimeGraph::output_specs(const std::string& output_name) const {
  if (impl_->state == GraphState::NeedInit) {
    throw Error(ErrorCode::kState, "the graph is not loaded yet: call Init first");
  }
  const BuiltGraph& graph = *impl_->graph;
  const std::size_t output = graph.FindOutput(output_name);
  if (impl_->state == GraphState::NeedBuild) return RecordedOutputs(graph)[output];
  if (const Runner::Entry* entry = impl_->runner->current()) return PlannedOutputs(graph, *entry->program)[output];
  if (!impl_->free_outputs) impl_->free_outputs = OutputsForFreeInputs(graph);
  return (*impl_->free_outputs)[output];
}

std::vector<RuntimeGraph::State> RuntimeGraph::proposed_states() const {
  const BuiltGraph& graph = *impl_->graph;
  std::vector<State> states;
  for (const ProposedState& pair : ProposeStates(graph.states, graph.operators, graph.inputs)) {
    State state;
    state.input = pair.input;
    state.output = pair.output;
    state.spec = input_spec(pair.input);
    state.axis = pair.axis;
    states.push_back(std::move(state));
  }
  return states;
}

void RuntimeGraph::Impl::Show() const {
  graph->ShowParameters();
  if (state == GraphState::Complete) graph->AllocateTensors();
}

const Operators& RuntimeGraph::operators() const {
  impl_->Show();
  return impl_->graph->operators;
}

const Operators& RuntimeGraph::get_topo_queues() const {
  impl_->Show();
  return impl_->graph->order;
}

bool RuntimeGraph::is_input_op(const std::string& op_name) const { return HoldsName(impl_->graph->inputs, op_name); }

bool RuntimeGraph::is_output_op(const std::string& op_name) const { return HoldsName(impl_->graph->outputs, op_name); }

std::shared_ptr<RuntimeOperand> RuntimeGraph::find_operand(const std::string& operand_name) const {
  impl_->Show();
  return impl_->graph->FindOperand(operand_name);
}

Value RuntimeGraph::Impl::OperandValue(const std::string& operand_name) const {
  const ExecutionContext& results = built().Results();
  const std::shared_ptr<RuntimeOperand> operand = graph->FindOperand(operand_name);
  if (operand == nullptr) throw Error(ErrorCode::kInput, "the graph has no operand '" + operand_name + "'");
  const bool border = std::any_of(graph->outputs.begin(), graph->outputs.end(),
                                  [&](const auto& output) { return output->input_operands_seq.front() == operand; }) ||
                      std::any_of(graph->inputs.begin(), graph->inputs.end(),
                                  [&](const auto& input) { return input->output_operands == operand; });
  if (!runner->current()->key.keep_all && !border) {
    throw Error(ErrorCode::kState, "operand '" + operand_name + "' is kept only by Forward(debug = true)");
  }
  return results.Get(operand.get());
}

NdArray RuntimeGraph::operand_array(const std::string& operand_name) const {
  const Value value = impl_->OperandValue(operand_name);
  if (!value.Is<NdArray>()) {
    throw Error(ErrorCode::kInput, "operand '" + operand_name + "' holds " + KindName(value) + ", expected an array");
  }
  const BudgetScope budget(impl_->graph->context.budget);
  return CopyOf(value.Get<NdArray>());
}

bool RuntimeGraph::holds_array(const std::string& operand_name) const {
  return impl_->OperandValue(operand_name).Is<NdArray>();
}

void RuntimeGraph::InferShapes(const std::map<std::string, Shape>& input_shapes) {
  Runner& runner = impl_->built();
  const Operators& inputs = runner.graph().inputs;
  ProgramKey key;
  const ModelStates& states = runner.graph().states;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (states.OfInput(i) != nullptr) {  // its first value is found below, by the shapes of the other inputs
      key.specs.emplace_back();
      continue;
    }
    const TensorSpec recorded = BuiltGraph::RecordedSpec(*inputs[i]);
    const auto given = input_shapes.find(inputs[i]->name);
    key.specs.emplace_back(recorded.type, given != input_shapes.end() ? given->second : recorded.shape);
  }
  for (const auto& [name, shape] : input_shapes) runner.graph().FindInput(name);
  const std::vector<TensorSpec> given = key.specs;
  for (const StatePair& pair : states.pairs) key.specs[pair.input] = runner.graph().FirstSpec(pair, given);
  const Program& program = *runner.EntryFor(key).program;
  const bool shown = runner.graph().shows_parameters();
  const auto store = [shown](RuntimeOperand& operand, const TensorSpec& spec) {
    operand.shapes.assign(spec.shape.begin(), spec.shape.end());
    operand.type = spec.type;
    operand.has_shape = true;
    operand.datas.clear();
    if (shown) AllocateOperandTensors(operand);
  };
  for (const auto& op : impl_->graph->order) {
    for (const auto& operand : op->output_operands_seq) {
      const auto symbol = program.symbols.find(operand.get());
      if (symbol == program.symbols.end()) continue;
      if (const int* slot = symbol->second.slot()) store(*operand, program.slots[*slot].spec);
      const Value* known = symbol->second.known();
      if (known != nullptr && known->Is<NdArray>()) store(*operand, known->Get<NdArray>().spec());
    }
  }
}

void RuntimeGraph::Dump(std::ostream& stream) const {
  const std::lock_guard<std::mutex> lock(impl_->graph->parameters_mutex());
  DumpOperators(impl_->graph->operators, stream);
}

RuntimeGraph::Report RuntimeGraph::report() const {
  Report report;
  report.warnings = impl_->graph->warnings;
  report.plans = impl_->graph->plans;
  for (const auto& op : impl_->graph->operators) {
    for (const auto& [name, attribute] : op->attribute) {
      report.parameters += CountNumbers(*op, name, *attribute);
      report.weight_bytes += HeldBytes(*attribute);
    }
  }
  report.weight_bytes += impl_->graph->context.packed != nullptr ? impl_->graph->context.packed->bytes() : 0;
  if (impl_->runner == nullptr || impl_->runner->current() == nullptr) return report;
  const Program& program = *impl_->runner->current()->program;
  report.planned = true;
  report.multiply_adds = program.multiply_adds;
  report.planned_bytes = program.arena_bytes;
  report.largest_live_bytes = program.largest_live_bytes;
  for (const PassReport& pass : program.passes) {
    report.passes.push_back({pass.pass, pass.nodes, pass.copies, pass.bytes});
  }
  report.warnings.insert(report.warnings.end(), program.warnings.begin(), program.warnings.end());
  return report;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "runtime/states/model_states.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "kuiper_infer/runtime/runtime_attr.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/binder.hpp"
#include "planning/list_budget.hpp"
#include "runtime/states/state_window.hpp"

namespace kuiper_infer {
namespace {

using Producers = std::map<const RuntimeOperand*, const RuntimeOperator*>;

Producers ProducersOf(const Operators& operators) {
  Producers producers;
  for (const auto& op : operators) {
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = op.get();
  }
  return producers;
}

bool MakesTuple(const RuntimeOperator& op) {
  return op.type == "prim::TupleConstruct" || op.type == "prim::ListConstruct";
}

/// Collects the arrays of an output. Tuples of a depth that no run would accept stay whole.
void Flatten(const std::shared_ptr<RuntimeOperand>& operand, const Producers& producers, int depth,
             std::vector<std::shared_ptr<RuntimeOperand>>& found) {
  const auto producer = producers.find(operand.get());
  const bool tuple = producer != producers.end() && MakesTuple(*producer->second) && depth < ListBudget::kDeepest;
  if (!tuple || found.size() > static_cast<std::size_t>(ListBudget::kMostEntries)) return found.push_back(operand);
  for (const auto& item : producer->second->input_operands_seq) Flatten(item, producers, depth + 1, found);
}

std::vector<FlatOutput> FlatOutputs(const Operators& outputs, const Producers& producers) {
  std::vector<FlatOutput> flat;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]->input_operands_seq.size() != 1) continue;  // Build refuses the graph
    std::vector<std::shared_ptr<RuntimeOperand>> arrays;
    Flatten(outputs[i]->input_operands_seq.front(), producers, 0, arrays);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const std::string name = outputs[i]->name + (arrays.size() > 1 ? "." + std::to_string(k) : "");
      flat.push_back({name, i, arrays[k]});
    }
  }
  return flat;
}

/// The output of that name or number. `origin` begins the message if there is none.
std::size_t FindOutput(const std::vector<FlatOutput>& outputs, const std::string& wanted, ErrorCode code,
                       const std::string& origin) {
  std::string names;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].name == wanted || std::to_string(i) == wanted) return i;
    names += (i == 0 ? "'" : ", '") + outputs[i].name + "'";
  }
  throw Error(code, origin + " names the output '" + wanted + "', the model has " + names);
}

/// The axis along which the output is the input with new elements behind it; nothing if it is something else.
std::optional<GrowingInput> FindGrowth(std::size_t index, const RuntimeOperand& input, const RuntimeOperand& output,
                                       const Producers& producers) {
  const auto producer = producers.find(&output);
  if (producer == producers.end() || !input.has_shape) return std::nullopt;
  const RuntimeOperator& op = *producer->second;
  constexpr const char* kJoins[] = {"torch.cat", "torch.concat", "aten::cat", "aten::concat", "aten::concatenate"};
  const bool joins = std::find(std::begin(kJoins), std::end(kJoins), op.type) != std::end(kJoins);
  const auto& operands = op.input_operands_seq;
  if (!joins || operands.size() != 2 || operands.front().get() != &input || op.call == nullptr) return std::nullopt;
  const auto dim = op.call->params.find("dim");
  int64_t axis = 0;
  if (dim != op.call->params.end()) {
    if (!dim->second.Is<int64_t>()) return std::nullopt;
    axis = dim->second.Get<int64_t>();
  }
  const auto rank = static_cast<int64_t>(input.shapes.size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  return GrowingInput{index, axis, &op};
}

/// Throws if the recorded types, ranks or extents of input and output can't be the same.
void CheckPair(const StatePair& pair, const RuntimeOperand& input, const FlatOutput& output, ErrorCode code) {
  const RuntimeOperand& result = *output.operand;
  const auto describe = [](const RuntimeOperand& operand) {
    return std::string(TypeName(operand.type)) + " " + ShapeString(Shape(operand.shapes.begin(), operand.shapes.end()));
  };
  const bool types_known = input.type != RuntimeDataType::kTypeUnknown && result.type != RuntimeDataType::kTypeUnknown;
  bool fits = !types_known || input.type == result.type;
  if (input.has_shape && result.has_shape) {
    fits = fits && input.shapes.size() == result.shapes.size();
    for (std::size_t axis = 0; fits && axis < input.shapes.size(); ++axis) {
      const bool both = input.shapes[axis] >= 0 && result.shapes[axis] >= 0;
      const bool grows = pair.growing && pair.growing->axis == static_cast<int64_t>(axis);
      fits = !both || grows || input.shapes[axis] == result.shapes[axis];
    }
  }
  if (!fits) {
    throw Error(code, "state '" + pair.name + "' is " + describe(input) + " as an input, and " + describe(result) +
                          " as the output '" + output.name + "', expected the same type and shape");
  }
}

NdArray InitialOf(const RuntimeOperator& input) {
  const auto found = input.attribute.find("initial");
  if (found == input.attribute.end() || found->second == nullptr) return {};
  RuntimeAttribute& attribute = *found->second;
  if (attribute.weight != nullptr) return attribute.weight->values();
  const Shape shape(attribute.shape.begin(), attribute.shape.end());
  return NdArray::View(attribute.weight_data.data(), TensorSpec(attribute.type, shape)).Clone();
}

void AddPair(ModelStates& states, const Operators& inputs, std::size_t input, std::size_t output, ErrorCode code,
             const Producers& producers) {
  StatePair pair;
  pair.name = inputs[input]->name;
  pair.input = input;
  pair.output = output;
  const FlatOutput& result = states.outputs[output];
  if (states.OfInput(input) != nullptr) {
    throw Error(code, "state '" + pair.name + "' continues two outputs, expected one");
  }
  if (const StatePair* other = states.OfOutput(output)) {
    throw Error(code, "the output '" + result.name + "' is continued by two states, '" + other->name + "' and '" +
                          pair.name + "', expected one");
  }
  if (inputs[input]->output_operands == nullptr) return;  // Build refuses the graph
  pair.type = inputs[input]->output_operands->type;
  pair.growing = FindGrowth(input, *inputs[input]->output_operands, *result.operand, producers);
  CheckPair(pair, *inputs[input]->output_operands, result, code);
  pair.initial = InitialOf(*inputs[input]);
  const RuntimeOperand& operand = *inputs[input]->output_operands;
  const bool fits = !pair.initial.defined() || !operand.has_shape ||
                    (pair.initial.rank() == static_cast<int64_t>(operand.shapes.size()) &&
                     (operand.type == RuntimeDataType::kTypeUnknown || operand.type == pair.initial.type()));
  if (!fits) {
    throw Error(code, "state '" + pair.name + "' begins with " + SpecString(pair.initial.spec()) +
                          ", expected the type and the axes of the input");
  }
  states.pairs.push_back(std::move(pair));
}

}  // namespace

bool ModelStates::grows() const {
  return std::any_of(pairs.begin(), pairs.end(), [](const StatePair& pair) { return pair.growing.has_value(); });
}

const StatePair* ModelStates::OfInput(std::size_t input) const {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.input == input; });
  return found != pairs.end() ? &*found : nullptr;
}

StatePair* ModelStates::OfInput(std::size_t input) {
  const StatePair* const found = std::as_const(*this).OfInput(input);
  return found == nullptr ? nullptr : &pairs[static_cast<std::size_t>(found - pairs.data())];
}

const StatePair* ModelStates::OfOutput(std::size_t output) const {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.output == output; });
  return found != pairs.end() ? &*found : nullptr;
}

std::vector<ProposedState> ProposeStates(const ModelStates& states, const Operators& operators,
                                         const Operators& inputs) {
  const Producers producers = ProducersOf(operators);
  std::vector<ProposedState> proposed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (states.OfInput(i) != nullptr || inputs[i]->output_operands == nullptr) continue;
    for (std::size_t k = 0; k < states.outputs.size(); ++k) {
      const FlatOutput& output = states.outputs[k];
      const bool free = states.OfOutput(k) == nullptr;
      if (!free) continue;
      const auto growing = FindGrowth(i, *inputs[i]->output_operands, *output.operand, producers);
      if (growing) proposed.push_back({inputs[i]->name, output.name, growing->axis});
    }
  }
  return proposed;
}

ModelStates FindStates(const Operators& operators, const Operators& inputs, const Operators& outputs,
                       const BuildOptions& options) {
  const Producers producers = ProducersOf(operators);
  ModelStates states;
  states.outputs = FlatOutputs(outputs, producers);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->call == nullptr) continue;
    const auto found = inputs[i]->call->params.find("state");
    const int64_t window = WindowInFile(*inputs[i]);
    if (found == inputs[i]->call->params.end()) continue;
    const Value& value = found->second;
    const std::string wanted = value.Is<std::string>() ? value.Get<std::string>() : ValueString(value);
    const std::string origin = "the state of input '" + inputs[i]->name + "'";
    AddPair(states, inputs, i, FindOutput(states.outputs, wanted, ErrorCode::kGraph, origin), ErrorCode::kGraph,
            producers);
    if (StatePair* pair = states.OfInput(i)) SetWindow(*pair, window, options.max_state_length, ErrorCode::kGraph);
  }
  for (const auto& [output, input, window] : options.states) {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&name = input](const auto& op) { return op->name == name; });
    if (found == inputs.end()) {
      throw Error(ErrorCode::kArgument, "the option states names the input '" + input + "', which the model lacks");
    }
    const auto index = static_cast<std::size_t>(found - inputs.begin());
    const std::size_t result = FindOutput(states.outputs, output, ErrorCode::kArgument, "the option states");
    const StatePair* known = states.OfInput(index);
    const bool same = known != nullptr && known->output == result;  // the file says it, too
    if (!same) AddPair(states, inputs, index, result, ErrorCode::kArgument, producers);
    StatePair* pair = states.OfInput(index);
    if (pair != nullptr) SetWindow(*pair, window, options.max_state_length, ErrorCode::kArgument);
  }
  std::sort(states.pairs.begin(), states.pairs.end(),
            [](const StatePair& a, const StatePair& b) { return a.input < b.input; });
  return states;
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <optional>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/repair/recorded_shape.hpp"
#include "runtime/repair/repairs.hpp"

namespace kuiper_infer {
namespace {

/// Positions in a list of operands, for the roles (sequence, hidden state, cell state).
using Roles = std::vector<std::size_t>;

int64_t IntOf(const pnnx::Operator& op, const char* name, int64_t otherwise) {
  const auto found = op.params.find(name);
  return found != op.params.end() && found->second.type == 2 ? found->second.i : otherwise;
}

bool BoolOf(const pnnx::Operator& op, const char* name) {
  const auto found = op.params.find(name);
  return found != op.params.end() && found->second.type == 1 && found->second.b;
}

/// The shapes of the results and of the initial states.
struct RecurrentShapes {
  Shape sequence, hidden, cell;
  const Shape& of(std::size_t role) const { return role == 0 ? sequence : role == 1 ? hidden : cell; }
};

/// The shapes that follow from an input sequence of shape `input`; nothing if that cannot be the operator's input.
std::optional<RecurrentShapes> ShapesFrom(const pnnx::Operator& op, const Shape& input) {
  const std::size_t rank = input.size();
  const int64_t input_size = IntOf(op, "input_size", kUnknownExtent);
  if ((rank != 2 && rank != 3) || !SameExtent(input.back(), input_size)) return std::nullopt;
  const int64_t hidden_size = IntOf(op, "hidden_size", kUnknownExtent);
  const int64_t projection = IntOf(op, "proj_size", 0);
  const int64_t state_size = projection > 0 ? projection : hidden_size;
  const int64_t directions = BoolOf(op, "bidirectional") ? 2 : 1;
  const int64_t passes = IntOf(op, "num_layers", 1) * directions;
  RecurrentShapes shapes;
  shapes.sequence = input;
  shapes.sequence.back() = state_size == kUnknownExtent ? kUnknownExtent : directions * state_size;
  shapes.hidden = {passes, state_size};
  shapes.cell = {passes, hidden_size};
  if (rank == 3) {
    const int64_t batch = input[BoolOf(op, "batch_first") ? 0 : 1];
    shapes.hidden.insert(shapes.hidden.begin() + 1, batch);
    shapes.cell.insert(shapes.cell.begin() + 1, batch);
  }
  return shapes;
}

bool AllRecorded(const std::vector<pnnx::Operand*>& operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [](const pnnx::Operand* operand) { return operand != nullptr && operand->has_shape; });
}

/// Whether an operand is a parameter of the model, as distinct from a constant that the converter computed.
bool IsModelParameter(const pnnx::Operand& operand) {
  return operand.producer != nullptr && operand.producer->type == "pnnx.Attribute" &&
         operand.producer->name.rfind("pnnx_fold", 0) != 0;
}

/// The possible orders of the inputs. The first entry is PyTorch's order. In the other orders, states that are
/// parameters of the model come first. If both states of an LSTM are one array, the file has it once.
std::vector<Roles> InputOrders(const pnnx::Operator& op) {
  const bool lstm = op.type == "nn.LSTM";
  if (op.inputs.size() == 2)
    return lstm ? std::vector<Roles>{{0, 1, 1}, {1, 0, 0}} : std::vector<Roles>{{0, 1}, {1, 0}};
  if (op.inputs.size() == 3 && lstm) return {{0, 1, 2}, {2, 0, 1}, {1, 0, 2}, {1, 2, 0}};
  return {};
}

/// The possible roles of the outputs. The first entry is what PyTorch returns, cut to the number of outputs.
std::vector<Roles> OutputChoices(const pnnx::Operator& op) {
  const bool lstm = op.type == "nn.LSTM";
  if (op.outputs.size() == 1) return lstm ? std::vector<Roles>{{0}, {1}, {2}} : std::vector<Roles>{{0}, {1}};
  if (op.outputs.size() == 2 && lstm) return {{0, 1}, {0, 2}, {1, 2}};
  return {};
}

[[noreturn]] void Fail(const pnnx::Operator& op, const std::string& text) {
  throw Error(ErrorCode::kGraph, "operator '" + op.name + "' (" + op.type + "): " + text);
}

void OrderInputs(pnnx::Operator& op) {
  const std::vector<Roles> orders = InputOrders(op);
  const bool named = std::any_of(op.inputnames.begin(), op.inputnames.end(), [](const auto& n) { return !n.empty(); });
  if (orders.empty() || named || !AllRecorded(op.inputs)) return;
  const auto fits = [&](const Roles& order) {
    const std::optional<RecurrentShapes> shapes = ShapesFrom(op, RecordedShape(*op.inputs[order[0]]));
    for (std::size_t role = 1; shapes && role < order.size(); ++role) {
      if (!SameShape(RecordedShape(*op.inputs[order[role]]), shapes->of(role))) return false;
    }
    return shapes.has_value();
  };
  std::vector<Roles> fitting;
  std::copy_if(orders.begin(), orders.end(), std::back_inserter(fitting), fits);
  if (fitting.empty()) return;  // the operation reports that
  if (fitting.size() > 1 && (fitting[0] != orders[0] || IsModelParameter(*op.inputs[0]))) {
    Fail(op, "the file does not tell which of the inputs are the initial states: their shapes fit in " +
                 std::to_string(fitting.size()) + " orders");
  }
  const std::vector<pnnx::Operand*> inputs = op.inputs;
  op.inputs.clear();
  op.inputnames.clear();
  for (pnnx::Operand* input : inputs) input->remove_consumer(&op);
  for (const std::size_t position : fitting[0]) {
    op.inputs.push_back(inputs[position]);
    inputs[position]->consumers.push_back(&op);
  }
}

void PlaceOutputs(pnnx::Graph& graph, pnnx::Operator& op) {
  const std::vector<Roles> choices = OutputChoices(op);
  if (choices.empty() || op.inputs.empty() || op.params.count("pnnx_rnn_output_swapped") != 0) return;
  if (!AllRecorded(op.inputs) || !AllRecorded(op.outputs)) return;
  const std::optional<RecurrentShapes> shapes = ShapesFrom(op, RecordedShape(*op.inputs[0]));
  if (!shapes) return;
  const auto fits = [&](const Roles& roles) {
    for (std::size_t i = 0; i < roles.size(); ++i) {
      // Extents that are free in the input are so in the results.
      if (RecordedShape(*op.outputs[i]) != shapes->of(roles[i])) return false;
    }
    return true;
  };
  std::vector<Roles> fitting;
  std::copy_if(choices.begin(), choices.end(), std::back_inserter(fitting), fits);
  if (fitting.empty() || fitting[0] == choices[0]) return;
  if (fitting.size() > 1) {
    Fail(op,
         "the file does not tell whether its output is the last hidden state or the last cell state; a model that "
         "returns both, or the sequence too, keeps them apart");
  }
  for (std::size_t role = 0; role < fitting[0].back(); ++role) {
    const bool used = std::find(fitting[0].begin(), fitting[0].end(), role) != fitting[0].end();
    if (!used) InsertUnusedOutput(graph, op, role);
  }
}

}  // namespace

void RepairRecurrentOperands(pnnx::Graph& graph, pnnx::Operator& op) {
  if (op.type != "nn.LSTM" && op.type != "nn.GRU" && op.type != "nn.RNN") return;
  OrderInputs(op);
  PlaceOutputs(graph, op);
}

}  // namespace kuiper_infer

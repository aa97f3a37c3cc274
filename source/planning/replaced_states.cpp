// SPDX-License-Identifier: MIT
#include "planning/replaced_states.hpp"

#include <algorithm>
#include <optional>

#include "planning/planning_graph.hpp"

namespace kuiper_infer {
namespace {

/// Whether one of the arrays in an operand lies in the memory of a root slot.
bool LiesIn(const Program& program, const RuntimeOperand* operand, int root) {
  bool found = false;
  const auto symbol = program.symbols.find(operand);
  if (symbol == program.symbols.end()) return false;
  ForEachArray(symbol->second, [&](int slot) { found = found || program.RootOf(slot) == root; });
  return found;
}

bool Reads(const Program& program, const Source& source, int root) {
  return source.slot >= 0 && program.RootOf(source.slot) == root;
}

/// The only step that writes a root slot, if it writes it as a whole.
std::optional<std::size_t> WriterOf(const Program& program, int root) {
  std::optional<std::size_t> writer;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const std::vector<int>& outputs = program.steps[i].outputs;
    const bool writes =
        std::any_of(outputs.begin(), outputs.end(), [&](int slot) { return program.RootOf(slot) == root; });
    if (!writes) continue;
    if (writer || outputs.size() != 1 || outputs.front() != root) return std::nullopt;
    writer = i;
  }
  return writer;
}

/// Whether nothing needs an input's former elements while or after step `update` overwrites them. Results of dynamic
/// steps may be views of what these read, so a dynamic step must not read them at all.
bool DiesIn(const Program& program, int input, std::size_t update) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    const auto reads = [&](const Source& source) { return Reads(program, source, input); };
    const std::size_t first = i == update ? 1 : 0;  // the array that is updated
    if (i >= update && std::any_of(step.inputs.begin() + first, step.inputs.end(), reads)) return false;
    if (!step.dynamic) continue;
    for (const auto& operand : program.operators[step.op]->input_operands_seq) {
      if (LiesIn(program, operand.get(), input)) return false;
    }
  }
  return std::none_of(program.output_operands.begin(), program.output_operands.end(),
                      [&](const RuntimeOperand* operand) { return LiesIn(program, operand, input); });
}

/// Lets a slot of the arena lie in the memory of an input.
void MoveInto(Program& program, int slot, int input) {
  for (Slot& other : program.slots) {
    if (other.memory == ArrayMemory::kView && other.root == slot) other.root = input;
  }
  Slot& moved = program.slots[static_cast<std::size_t>(slot)];
  moved.memory = ArrayMemory::kView;
  moved.root = input;
  moved.offset = 0;
}

bool UpdateInPlace(Program& program, int input, int output) {
  const std::optional<std::size_t> writer = WriterOf(program, output);
  if (!writer || !DiesIn(program, input, *writer)) return false;
  Step& step = program.steps[*writer];
  if (!step.call.changed_rows || step.dynamic || step.inputs.front().slot != input) return false;
  step.update = static_cast<int>(program.updates.size());
  program.updates.push_back({*writer, *step.call.changed_rows});
  MoveInto(program, output, input);
  return true;
}

}  // namespace

void PlaceStates(Program& program, const std::vector<ReplacedState>& states) {
  for (const ReplacedState& state : states) {
    StateSlots& place = program.replaced.emplace_back();
    const auto symbol = program.symbols.find(state.output);
    const int* output = symbol != program.symbols.end() ? symbol->second.slot() : nullptr;
    const int input = program.input_slots[state.input];
    if (output == nullptr || input < 0) continue;
    const Slot& former = program.slots[static_cast<std::size_t>(input)];
    Slot& next = program.slots[static_cast<std::size_t>(*output)];
    const bool alike = next.spec.type == former.spec.type && next.spec.shape == former.spec.shape;
    const bool own = former.memory == ArrayMemory::kInput && next.memory == ArrayMemory::kArena;
    if (!alike || !own || !next.spec.contiguous()) continue;
    place.slot = *output;
    if (UpdateInPlace(program, input, *output)) {
      place.made = StateSlots::Made::kInPlace;
    } else {
      place.made = StateSlots::Made::kBeside;
      next.memory = ArrayMemory::kState;
    }
  }
}

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#include "planning/replaced_states.hpp"

#include "planning/updates_in_place.hpp"

namespace kuiper_infer {

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

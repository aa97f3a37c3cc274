// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "planning/program.hpp"

namespace kuiper_infer {

/// A state that each run replaces: an output that takes the place of an input.
struct ReplacedState {
  std::size_t input = 0;                   ///< among the model's inputs
  const RuntimeOperand* output = nullptr;  ///< the operand of the output
};

/// Chooses where a run makes the new value of each state (Program::replaced), and updates those states in place that
/// allow it. Called before ShareMemory, so that arrays in the memory of a session take none of the arena.
void PlaceStates(Program& program, const std::vector<ReplacedState>& states);

}  // namespace kuiper_infer

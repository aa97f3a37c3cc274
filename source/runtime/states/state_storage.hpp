// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/build_options.hpp"
#include "runtime/states/model_states.hpp"

namespace kuiper_infer {

/// The words that BuildOptions::state_type may be.
std::vector<std::string> StateTypeNames();

/// Chooses the element type in which sessions keep each growing state (GrowingInput::stored): the one of
/// BuildOptions::state_type if the state is float32 and only attention reads it, as keys or values; otherwise the type
/// that the model says.
void ChooseStateStorage(ModelStates& states, const Operators& operators, const Operators& inputs,
                        const BuildOptions& options);

}  // namespace kuiper_infer

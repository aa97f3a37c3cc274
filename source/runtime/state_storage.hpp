// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/build_options.hpp"
#include "runtime/model_states.hpp"

namespace kuiper_infer {

/// Chooses the element type in which sessions keep each growing state (GrowingInput::stored): bfloat16 at
/// Precision::kMedium if the state is float32 and only attention reads it, as keys or values, which doubles the length
/// that a memory of some bandwidth can read in a given time; otherwise the type that the model says.
void ChooseStateStorage(ModelStates& states, const Operators& operators, const Operators& inputs, Precision precision);

}  // namespace kuiper_infer

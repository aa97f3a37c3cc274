// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/error.hpp"
#include "runtime/states/model_states.hpp"

namespace kuiper_infer {

/// The parameter `window=N` of a pnnx.Input, 1 or more; 0 if the input has none. Throws Error(kGraph) for any other
/// value, and for a window of an input that is no state.
int64_t WindowInFile(const RuntimeOperator& input);

/// Sets the window of a state; 0 leaves it as it is. Throws Error that names the state if the window is negative, the
/// state does not grow, or max_state_length, unless it is 0, is smaller. `code` is the error's code: kGraph if the
/// file named the state, kArgument if the program did.
void SetWindow(StatePair& pair, int64_t window, int64_t max_state_length, ErrorCode code);

}  // namespace kuiper_infer

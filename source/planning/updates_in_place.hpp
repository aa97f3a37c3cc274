// SPDX-License-Identifier: MIT
#pragma once

#include "planning/program.hpp"

namespace kuiper_infer {

/// Lets the steps that make the new value of a state by changing rows of the former one (KernelCall::changed_rows)
/// write into the memory of the former one. `input` and `output` are the slots of both values. Returns false, and
/// changes nothing, if the new value is made otherwise or if something needs elements that the steps would overwrite.
bool UpdateInPlace(Program& program, int input, int output);

}  // namespace kuiper_infer

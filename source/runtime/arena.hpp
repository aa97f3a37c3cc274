// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/program.hpp"

namespace kuiper_infer {

/// Gives every array of a program and every step's scratch memory a place in the arena: arrays that are alive at
/// different times share it, unless `keep_all`. Throws Error(kResource) where the machine has less memory than that.
void PlaceInArena(Program& program, bool keep_all);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "runtime/program.hpp"

namespace kuiper_infer {

/// Where in a concatenation's result an operand lies.
struct Placement {
  const RuntimeOperand* result = nullptr;
  TensorSpec result_spec;
  int64_t offset = 0;  ///< elements
};

using Placements = std::map<const RuntimeOperand*, Placement>;

/// The pass that does without the copies of a concatenation of channels: finds the operands that their steps could
/// write into its result right away. A planned program shows which those are; planning once more with the placements
/// makes use of them. KUIPER_PLACEMENT=0 in the environment turns the pass off.
Placements FindPlacements(const Program& program);

}  // namespace kuiper_infer

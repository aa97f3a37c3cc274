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
/// makes use of them.
Placements FindPlacements(const Program& program);

/// Makes use of placements while a program is planned.
class Placer {
 public:
  explicit Placer(const Placements& placements) : placements_(placements) {}

  /// Makes the slot of an operator's result, which was written last, a view on the concatenation that reads it, where
  /// that is asked for.
  void Place(Program& program, const RuntimeOperator& op, int index);

  /// The slot that was made for a concatenation when its inputs were placed, to be written by the next step; -1 where
  /// there is none.
  int FindTarget(Program& program, const RuntimeOperator& op, const OperationPlan& plan) const;

 private:
  const Placements& placements_;
  std::map<const RuntimeOperand*, int> targets_;
};

/// A concatenation whose pieces lie side by side already, as when all are parts of a larger one: a new slot that is a
/// view on them, -1 where they don't.
int FindNeighbours(Program& program, const OperationPlan& plan, const std::vector<Source>& sources);

}  // namespace kuiper_infer

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/planning_context.hpp"
#include "planning/planning_graph.hpp"
#include "planning/replaced_states.hpp"

namespace kuiper_infer {

/// A pass over a planning graph. It does not depend on the order of the nodes in the graph, and leaves a graph from
/// which correct calls can be made.
struct Pass {
  const char* name;  ///< of its file, with spaces: "fuse into producers"
  void (*run)(PlanningGraph& graph, const PlanningContext& context);
  /// When the pass runs: always (kNothing), or unless every operand has to be kept. kFusion and kPlacement are like
  /// kUnkeptOperands, and also need PlanningContext::fuses or PlanningContext::places.
  enum class Needs { kNothing, kUnkeptOperands, kFusion, kPlacement } needs;
};

/// All passes after Inference, in the order in which they run: the list in source/planning/CMakeLists.txt.
const std::vector<Pass>& Passes();

/// Plans the operators (in execution order) for inputs of the given specs. If `keep_all`, every array gets memory of
/// its own and nothing is fused, so that all operands can be read after a run. Otherwise operators are left out if no
/// output depends on them. `replaced` are the states that a run replaces; if `keep_all`, none of them is placed
/// (PlaceStates). Throws Error that names the operator whose arguments don't fit.
Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const PlanningContext& context, const std::vector<ReplacedState>& replaced = {});

/// Plans the operators for every length of the growing inputs, along whose axes `inputs` has the extent -1. `lengths`
/// are the lengths of the first run (TryLengths).
Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const std::vector<GrowingInput>& growing, const std::vector<int64_t>& lengths,
                    const PlanningContext& context, const std::vector<ReplacedState>& replaced = {});

/// The graph before any pass: the outputs of each operator, and the calls of operators without a Computation.
PlanningGraph InferGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                         const PlanningContext& context);

/// The graph after all passes.
PlanningGraph PlanGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                        const PlanningContext& context);

/// Makes the calls, one step for each node that is alive, in the order of their positions.
Program EmitProgram(PlanningGraph graph, const PlanningContext& context);

/// Places arrays such that arrays which are alive at different steps share memory; if `keep_all`, each gets its own.
/// Throws Error(kResource) if the machine does not have enough memory.
void ShareMemory(Program& program, bool keep_all);

/// The bytes of the arena that are in use during each step: arrays that this or a later step reads, arrays that the
/// step writes, and its scratch memory. For programs that were planned without `keep_all`.
std::vector<int64_t> LiveBytesBySteps(const Program& program);

}  // namespace kuiper_infer

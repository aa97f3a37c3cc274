// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/planning_context.hpp"
#include "planning/planning_graph.hpp"

namespace kuiper_infer {

/// Passes over a planning graph, each in a file of its name. A pass doesn't depend on the order in which nodes stand in
/// the graph, and leaves a graph from which right calls can be made.

/// An addition of two arrays and an activation become part of the node that computes what they read, if nobody else
/// reads that: a convolution or a linear layer does such work while its result is in registers.
void FuseIntoProducers(PlanningGraph& graph, const PlanningContext& context);

/// Arrays that are joined along the channels are written to their place in the result at once, where the nodes that
/// compute them can leave gaps between pixels. Readers that see other strides then are bound again.
void PlaceJoined(PlanningGraph& graph, const PlanningContext& context);

/// Arrays whose numbers all lie on one grid learn it (PlannedArray::grid): those that are rounded to it, and what is
/// joined, moved or chosen of such.
void FindGrids(PlanningGraph& graph, const PlanningContext& context);

/// Each convolution gets its method.
void ChooseMethods(PlanningGraph& graph, const PlanningContext& context);

/// A product that multiplies whole channels (squeeze and excitation) becomes part of the 1x1 convolution behind it.
void FuseFactors(PlanningGraph& graph, const PlanningContext& context);

/// Arrays on grids are stored as bytes, and those that are rounded to bfloat16 by all who read them as such numbers,
/// where all who write or read them can do that.
void ChooseStorage(PlanningGraph& graph, const PlanningContext& context);

/// Two or three convolutions one behind the other become one node that never writes the image between them whole.
void ChainConvolutions(PlanningGraph& graph, const PlanningContext& context);

/// Element-wise nodes one behind the other become one.
void FuseElementwise(PlanningGraph& graph, const PlanningContext& context);

/// Nodes whose results nobody reads go.
void DropDead(PlanningGraph& graph, const PlanningContext& context);

struct Pass {
  const char* name;
  void (*run)(PlanningGraph& graph, const PlanningContext& context);
  /// When it runs: always, or where not every operand has to be kept, for two passes if their switch of PlanningContext
  /// is on as well.
  enum class Needs { kNothing, kUnkeptOperands, kFusion, kPlacement } needs;
};

/// All passes behind Inference, in the order in which they run.
const std::vector<Pass>& Passes();

/// Plans the operators (in execution order) for inputs of the given specs. `keep_all` gives every array memory of its
/// own and fuses nothing, so that all operands can be read after a run; otherwise operators that no output depends on
/// are left out. Throws Error naming the operator whose arguments don't fit.
Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const PlanningContext& context);

/// The graph before any pass: each operator's outputs, no calls of those that have a Computation.
PlanningGraph InferGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                         const PlanningContext& context);

/// The graph behind all passes.
PlanningGraph PlanGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                        const PlanningContext& context);

/// Makes the calls, one step for each node that is alive, in the order of their positions.
Program EmitProgram(PlanningGraph graph, const PlanningContext& context);

/// Arrays that are alive at different steps share memory; each has its own with `keep_all`. Throws Error(kResource)
/// where the machine doesn't have so much.
void ShareMemory(Program& program, bool keep_all);

/// How much of the arena each step finds in use or uses: arrays that it, or a later step, reads, those that it writes,
/// and its scratch. For a program that doesn't keep all.
std::vector<int64_t> LiveBytesBySteps(const Program& program);

}  // namespace kuiper_infer
